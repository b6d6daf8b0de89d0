import path from 'node:path';
import {
  isCallExpression,
  isFunctionLikeDeclaration,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isPropertyDeclaration,
  isSourceFile,
  isStringLiteral,
  isTemplateExpression,
  SyntaxKind,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { projectRoot } from '../../../scripts/projectRoot';
import { isNoText, isTranslation, looksLikeText } from './textPositions';

/** A call of `l10n.t`. */
export interface TranslatedText {
  /** The file and the line, such as `src/host/a.ts:12`. */
  readonly place: string;
  /** The English text. Undefined: the first argument is not one string literal. */
  readonly key: string | undefined;
  /** False: without the translation, nothing would find that this is a text. */
  readonly isFound: boolean;
  /** True: it is translated when its module is loaded, perhaps before the translations are. */
  readonly isEarly: boolean;
  /** The number of values for its placeholders. Undefined: not known, because of a spread argument. */
  readonly values: number | undefined;
}

/** A text that looks as if people read it, outside of the first argument of `l10n.t`. */
export interface LiteralText {
  readonly place: string;
  readonly file: string;
  /** `{}` stands for each expression of a template literal. */
  readonly text: string;
}

/** Every text of the source, in the order of files. */
export interface SourceTexts {
  readonly translated: readonly TranslatedText[];
  readonly literal: readonly LiteralText[];
}

const configurations = ['tsconfig.json', 'src/webview/tsconfig.json'].map((name) => path.join(projectRoot, name));

/** Reads all files of `src` with the compiler. */
export function readSourceTexts(): SourceTexts {
  const api = new API({ cwd: projectRoot });
  try {
    const projects = api.updateSnapshot({ openProjects: configurations }).getProjects();
    const files = new Map<string, SourceFile>();
    for (const { program } of projects) {
      for (const fileName of program.getSourceFileNames()) {
        const file = path.relative(projectRoot, fileName).split(path.sep).join('/');
        if (!/^src\/.*\.tsx?$/.test(file) || file.endsWith('.d.ts') || files.has(file)) continue;
        const source = program.getSourceFile(fileName);
        if (source) files.set(file, source);
      }
    }
    const found = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, source]) => textsOf(file, source));
    return {
      translated: found.flatMap(({ translated }) => translated),
      literal: found.flatMap(({ literal }) => literal),
    };
  } finally {
    api.close();
  }
}

function textsOf(file: string, source: SourceFile): SourceTexts {
  const translated: TranslatedText[] = [];
  const literal: LiteralText[] = [];
  const placeOf = (node: Node): string => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return `${file}:${line + 1}`;
  };
  const visit = (node: Node): void => {
    if (isNoText(node)) return;
    if (isCallExpression(node) && isTranslation(node)) {
      const [message, ...values] = node.arguments;
      translated.push({
        place: placeOf(node),
        isFound: message !== undefined && looksLikeText(textOf(message)?.replaceAll(/\{\d+\}/g, '{}') ?? '', node),
        isEarly: node.expression.getText(source).startsWith('l10n.') && isEvaluatedOnLoad(node),
        key: message && isStringLiteral(message) ? message.text : undefined,
        values: values.some((value) => value.getText(source).startsWith('...')) ? undefined : values.length,
      });
      values.forEach(visit);
      return;
    }
    const text = textOf(node);
    if (text !== undefined && looksLikeText(text, node)) {
      literal.push({ place: placeOf(node), file, text: text.replaceAll(/\s+/g, ' ').trim() });
    }
    node.forEachChild(visit);
  };
  source.statements.forEach(visit);
  return { translated, literal };
}

/** Whether a module runs this node when it is loaded. */
function isEvaluatedOnLoad(node: Node): boolean {
  for (let at = node.parent; at !== undefined && !isSourceFile(at); at = at.parent) {
    if (isFunctionLikeDeclaration(at)) return false;
    if (isPropertyDeclaration(at)) return at.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) ?? false;
  }
  return true;
}

function textOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}
