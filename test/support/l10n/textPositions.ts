import {
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isExportDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isJsxExpression,
  isJsxText,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isTemplateExpression,
  isTemplateSpan,
  isTypeNode,
  SyntaxKind,
  type CallExpression,
  type Expression,
  type Node,
} from 'typescript/unstable/ast';

/** `l10n.t(…)` and `vscode.l10n.t(…)`, and other functions of l10n with the same arguments. */
export function isTranslation({ expression }: CallExpression): boolean {
  if (!isPropertyAccessExpression(expression) || expression.name.text === 'config') return false;
  const owner = expression.expression;
  return nameOf(owner) === 'l10n';
}

/** True: nothing inside this node is a text for people, wherever it stands in the source. */
export function isNoText(node: Node): boolean {
  if (isImportDeclaration(node) || isExportDeclaration(node) || isTypeNode(node)) return true;
  if (isCallExpression(node)) return isDeveloperCall(node);
  if (isJsxAttribute(node)) return technicalAttributes.test(node.name.getText());
  return isPropertyAssignment(node.parent) && node.parent.name === node;
}

const technicalAttributes =
  /^(class|className|style|d|viewBox|points|transform|id|key|rel|sandbox|role|href|src|type)$/;

/** Calls that write for developers, or that take a selector of the page. */
function isDeveloperCall({ expression }: CallExpression): boolean {
  if (!isPropertyAccessExpression(expression)) return nameOf(expression) === 'assert';
  const owner = nameOf(expression.expression);
  if (owner === 'console' || owner === 'log' || owner === 'logger') return true;
  return /^(querySelector(All)?|closest|matches)$/.test(expression.name.text);
}

/** A word, then a space, then a word or an expression; or an expression and then a word. */
const besideWord =
  /(\p{L}{2}|\d)[\p{Pe}\p{Pf}’'",:;.!?…]*\s+[\p{Ps}\p{Pi}"']*(\p{L}|\{)|\}[\p{Pe}\p{Pf}’'",:;.!?…]*\s+[\p{Ps}\p{Pi}"']*\p{L}/u;

/**
 * True for words in a position that people see, for a capitalised word, and for a word beside another word or an expression.
 * An icon such as `$(add)` is no word.
 */
export function looksLikeText(text: string, node: Node): boolean {
  const words = text.replaceAll(/\$\([\w~-]+\)/g, '').trim();
  if (!/\p{L}{2}/u.test(words)) return false;
  if (besideWord.test(words)) return true;
  // An address, a name with a version, or a path.
  if (/^\S*[\d:/@]\S*$/.test(words) || isCompared(node)) return false;
  return /^\p{Lu}\p{Ll}+[.…]?$/u.test(words) || isShown(node) || (/^\p{Ll}+$/u.test(words) && isReturned(node));
}

/** A single word that is compared with a value is an id. */
function isCompared({ parent }: Node): boolean {
  return isCaseClause(parent) || (isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()));
}

function isShown(node: Node): boolean {
  if (isJsxText(node)) return true;
  const { parent } = node;
  if (isConditionalExpression(parent)) return parent.condition !== node && isShown(parent);
  if (isParenthesizedExpression(parent) || isTemplateSpan(parent) || isTemplateExpression(parent))
    return isShown(parent);
  if (isBinaryExpression(parent)) {
    const operator = parent.operatorToken.getText();
    if (operator === '=') return shownNames.test(nameOf(parent.left) ?? '');
    return ['??', '||', '&&', '+'].includes(operator) && isShown(parent);
  }
  if (isJsxExpression(parent)) {
    return isJsxAttribute(parent.parent) ? isShown(parent) : parent.parent.kind !== SyntaxKind.JsxSpreadAttribute;
  }
  if (isJsxAttribute(parent)) return shownAttributes.test(parent.name.getText());
  if (isPropertyAssignment(parent)) return shownNames.test(parent.name.getText());
  if (isCallExpression(parent)) return isTranslation(parent) || shownArguments.test(nameOf(parent.expression) ?? '');
  return false;
}

/** The result of a function that gives `string`: an id would have a type of its own. */
function isReturned(node: Node): boolean {
  const { parent } = node;
  if (isConditionalExpression(parent)) return parent.condition !== node && isReturned(parent);
  if (!isReturnStatement(parent) && !isArrowFunction(parent)) return false;
  for (let at: Node = parent; at !== undefined; at = at.parent) {
    if (isFunctionLikeDeclaration(at)) return /^string( \| undefined)?$/.test(at.type?.getText() ?? '');
  }
  return false;
}

const shownAttributes = /^(title|label|placeholder|alt|aria-(label|description|valuetext|roledescription))$/;
const shownNames =
  /^(label|title|detail|description|placeHolder|prompt|tooltip|message|ariaLabel|openLabel|saveLabel|textContent|placeholder)$/;
const shownArguments = /^(show\w*Message|setStatusBarMessage|appendMarkdown)$/;

/** The last name of `a`, `a.b` or `a.b.c`. */
function nameOf(expression: Expression): string | undefined {
  if (isIdentifier(expression)) return expression.text;
  return isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}
