import { WITHOUT_INDENTATION, type FileLines } from './fileLines';

/**
 * Finds a line of a model's new text that stands for left-out code, such as `// ... existing code ...`. Writing it
 * would lose this code. Lines that the file has are no placeholders. `undefined` for none.
 */
export function findPlaceholder(newText: string, file: FileLines | undefined): string | undefined {
  if (!MAY_BE.test(newText)) return undefined;
  const lines = newText.split(/\r?\n/).map((line) => line.trim());
  return lines.find(
    (line, index) => isPlaceholder(line, lines[index - 1]) && !file?.indexBy(WITHOUT_INDENTATION).idOf.has(line),
  );
}

const MAX_LENGTH = 160;

const MAY_BE =
  /\.\.\.|…|\b(?:rest|remainder|remaining|existing|unchanged|omitted|same|other|previous|original|changes?|snip|continues|etc|your|lines)\b|省略|中略/i;

const COMMENT =
  /^(?:\/\/+!?|#+|--+|;+|%+|\/\*+|\*|<!--+|\{\/\*+|\(\*|'|rem\b|\{\{!(?:--)?|\{#|<%#|<%--|=begin\b)\s*(?<body>.*?)\s*(?:\*+\/\}?|--+>?|\*\)|(?:--)?\}\}|#\}|(?:--)?%>|=end)?$/i;

function isPlaceholder(line: string, previous: string | undefined): boolean {
  // Placeholders are short, and the patterns below would take long on long lines.
  if (line.length > MAX_LENGTH) return false;
  if (line === '…' || line === '[...]' || line === '[…]' || line === '(...)') return true;
  // Three dots alone are a statement in Python, an end of document in YAML, or a spread.
  const body = COMMENT.exec(line)?.groups?.['body'] ?? bareBody(line);
  if (body === undefined || body === '') return false;
  if (/^[[(<]?(?:\.{3}|…)[\])>]?$/.test(body)) return previous !== undefined && line !== body;
  const words = body.replaceAll(/^[\s.…[(<{*/=~>-]+|[\s.…\])>}*/=~-]+$/g, '').toLowerCase();
  const hasDots = /^[[(<]?\s*(?:\.{3}|…)|(?:\.{3}|…)\s*[\])>]?$/.test(body);
  return hasDots ? DOTTED.test(words) || FOREIGN.test(words) : PLAIN.test(words);
}

/** The text of a line without a comment mark, if it has dots on both sides or is an unusual tag. */
function bareBody(line: string): string | undefined {
  if (/^<(?:rest|remainder|remaining|existing|unchanged) [\w ]+>$/i.test(line)) return line;
  return /^(?:\.{3}|…|\[\.{3}|\[…|\(\.{3}).*(?:\.{3}|…)[\])]?$/.test(line) ? line : undefined;
}

const WHAT =
  '(?:code|file|files|function|functions|method|methods|class|component|module|implementation|imports?|content|contents|body|logic|' +
  'tests?|cases?|properties|fields|config|configuration|document|script|template|styles?|rules|section|lines?|text|items|entries|' +
  'definitions?|declarations?|routes?|handlers?|helpers?|variables?|constants?|types?|options|settings|steps|jobs|block)';
const STATE =
  '(?:(?:remains?|stays?|is|are|goes?|continues?|follows?|here|unchanged|untouched|the same|same as (?:before|above|(?:the )?original)|as (?:is|before)|omitted|' +
  'for brevity|not shown|above|below|hidden|truncated|elided|in place|intact)[\\s,]*)';
const LINES = '(?:lines? \\d+(?: ?(?:-|–|to|through) ?\\d+)?)';
const OF = `(?: ?of (?:the |this |your |its )?(?:\\w+ ){0,2}${WHAT})`;

/** For comments that begin or end with dots. */
const DOTTED = new RegExp(
  `^(?:(?:the |all |keep |any |your |and )*(?:rest|remainder|remaining|existing|unchanged|previous|original|other|same|more|omitted|current)\\b.{0,60}` +
    `|${LINES}(?: ${STATE}+)?|${WHAT}(?: ${STATE}*)?|${STATE}+|(?:etc|snip|truncated|and so on|your code here|implementation(?: details)?))$`,
);

/** The same in other languages. Only with dots. */
const FOREIGN =
  /^.{0,40}(?:其余|其他|省略|保持不变|现有|原有|剩余|既存|残り|変更なし|나머지|기존|остальн|без изменений|существующ|reste (?:du|de|des)\b|inchang|code existant|resto (?:del?|do)\b|sin cambios|código existente|restliche|rest des\b|bestehende|unverändert|sem alterações).{0,40}$/;

/** For comments without dots, which must say that code stays or is left out. */
const PLAIN = new RegExp(
  `^(?:(?:keep )?(?:the )?(?:rest|remainder)${OF}?(?: ${STATE}+)?` +
    `|(?:keep )?(?:the |all )?(?:remaining|existing|other|previous|original|same) (?:\\w+ ){0,2}${WHAT} ${STATE}+` +
    `|(?:keep )?(?:the |your )?existing (?:code|implementation|contents?|logic|styles?|imports?|functions?|methods?)(?: ${STATE}+)?` +
    `|(?:the )?(?:other|remaining) code|etc|your (?:code|logic|implementation) goes here|(?:以下|以上)?省略|中略` +
    `|${LINES} ${STATE}*(?:unchanged|omitted|not shown|elided|the same)` +
    `|(?:function |method |class |the )?${WHAT} (?:${STATE})*(?:unchanged|omitted|not shown|elided|(?:the )?same(?: as (?:before|above|(?:the )?original))?)(?: ${STATE})*` +
    `|(?:no changes?(?: (?:here|needed|below|above|to the rest|in the rest))?|unchanged(?: code)?|code continues(?: (?:here|below|unchanged))?` +
    `|same as (?:before|above|(?:the )?original)|omitted(?: for brevity)?|snip))$`,
);
