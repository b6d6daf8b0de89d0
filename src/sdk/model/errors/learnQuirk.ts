import * as l10n from '../../../util/l10n';
import type { Message } from '../../messages';
import { hasImages } from '../../context/applyCompaction';
import { isContextOverflow, serverMessage } from './httpErrors';
import type { ModelRequest, ToolDefinition } from '../modelProvider';
import {
  namedTool,
  plainSchema,
  rejectsForm,
  rejectsKeyword,
  type SchemaStep,
  type ToolSchemaStep,
} from '../wire/plainSchema';
import type { ServerQuirks } from '../wire/serverQuirks';
import { hasMeaning } from './wordings';

export interface LearnedQuirk {
  readonly quirks: ServerQuirks;
  /** For people: what the server rejects, what is done about it, and what to change there. */
  readonly message: string;
}

export interface Rejection {
  readonly url: string;
  /** The HTTP status, or 200 for an error inside an answer. */
  readonly status: number;
  readonly body: string;
}

/**
 * Learns a quirk from a rejection, so the same request can be sent in another form; `undefined` when it shows nothing
 * new. Reads only the server's own words, not parts of the request that it repeats.
 */
export function learnQuirk(
  rejection: Rejection,
  request: ModelRequest,
  quirks: ServerQuirks,
): LearnedQuirk | undefined {
  const said = serverMessage(rejection.body);
  if (said === '' || isContextOverflow(said) || hasMeaning('unreadable', said)) return undefined;
  const fact: Fact = { ...rejection, said, request, quirks };
  for (const lesson of LESSONS) {
    const learned = lesson(fact);
    if (learned) return { quirks: { ...quirks, ...learned.change }, message: learned.message };
  }
  return undefined;
}

/** Learns that the server rejects the schema of this tool. */
export function learnRejectedTool(tool: string, rejection: Rejection, quirks: ServerQuirks): LearnedQuirk {
  const { change, message } = withoutTool(tool, rejection.url, serverMessage(rejection.body), quirks);
  return { quirks: { ...quirks, ...change }, message };
}

/** Learns that the server takes this tool without some of its schema. */
export function learnStrippedTool(
  tool: string,
  step: ToolSchemaStep,
  { url, body }: Rejection,
  quirks: ServerQuirks,
): LearnedQuirk {
  const left = step === 'bare' ? l10n.t('everything but types, names and descriptions') : leftOut(step);
  return {
    quirks: { ...quirks, strippedTools: { ...quirks.strippedTools, [tool]: step } },
    message: `${l10n.t('{0} cannot use the schema of the tool {1}, so it is sent without {2}.', url, tool, left)} ${quote(serverMessage(body))}`,
  };
}

/** Whether a server's own words mean that it cannot use a schema. */
export function isSchemaRejection(said: string): boolean {
  return NOT_COMPILED.test(said) || rejectsKeyword(said);
}

function withoutTool(tool: string, url: string, said: string, quirks: ServerQuirks): Learned {
  return {
    change: { droppedTools: [...quirks.droppedTools, tool] },
    message: `${l10n.t('{0} cannot use the schema of the tool {1}, so the model does not get that tool.', url, tool)} ${quote(said)}`,
  };
}

interface Fact extends Rejection {
  readonly said: string;
  readonly request: ModelRequest;
  readonly quirks: ServerQuirks;
}

interface Learned {
  readonly change: Partial<ServerQuirks>;
  readonly message: string;
}

type Lesson = (fact: Fact) => Learned | undefined;

const LESSONS: readonly Lesson[] = [
  ({ url, said, request, quirks }) => {
    const inResults = request.messages.some(
      ({ role, content }) => role === 'tool' && (content.images?.length ?? 0) > 0,
    );
    if (!quirks.images || !inResults || quirks.resultImages === 'user' || !NO_RESULT_IMAGES.test(said))
      return undefined;
    return {
      change: { resultImages: 'user' },
      message: `${l10n.t('{0} takes no images in the results of tools, so they are sent in a message after them.', url)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (!quirks.images || !request.messages.some(hasImages) || !NO_IMAGES.test(said)) return undefined;
    return {
      change: { images: false },
      message: l10n.t(
        '{0} takes no images for {1}, so the model gets a note in the place of each. {2} {3}',
        url,
        request.model,
        imageRemedy(said),
        quote(said),
      ),
    };
  },

  /** Matches "unknown field stream_options", or pydantic's `"loc": ["body", "stream_options"]`. */
  ({ url, status, body, said, quirks }) => {
    if (!quirks.streamOptions || status >= 500 || !isNamed('stream_options', said, body)) return undefined;
    return {
      change: { streamOptions: false },
      message: l10n.t(
        '{0} does not take stream_options, so it is asked without them and may not report token counts.',
        url,
      ),
    };
  },

  ({ url, status, body, said, quirks }) => {
    if (!quirks.promptProgress || status >= 500 || !isNamed('return_progress', said, body)) return undefined;
    return {
      change: { promptProgress: false },
      message: l10n.t('{0} does not take return_progress, so it does not say how much of a prompt it has read.', url),
    };
  },

  /** Matches "property 'reasoning_content' is unsupported", or pydantic's words. */
  ({ url, status, body, said, quirks }) => {
    if (!quirks.takesReasoning || status >= 500 || !isNamed('reasoning_content', said, body)) return undefined;
    return {
      change: { takesReasoning: false },
      message: `${l10n.t("{0} does not take a model's earlier reasoning, so it is not sent back.", url)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (request.tools.length === 0 || quirks.tools === 'text' || !quirks.streamWithTools) return undefined;
    if (!NO_STREAM_WITH_TOOLS.test(said)) return undefined;
    return {
      change: { streamWithTools: false },
      message: l10n.t(
        '{0} does not stream answers with tools, so they come in one piece. {1} {2}',
        url,
        remedyFor(said),
        quote(said),
      ),
    };
  },

  ({ url, said, request, quirks }) => {
    if (quirks.tools === 'text') return undefined;
    const isNoTools = request.tools.length > 0 && NO_TOOLS.test(said);
    const isNoToolRole = NO_TOOL_ROLE.test(said) && request.messages.some(({ role }) => role === 'tool');
    if (!isNoTools && !isNoToolRole) return undefined;
    return {
      change: { tools: 'text' },
      message: l10n.t(
        '{0} does not take tools for {1}, so they are described in text, which works less well. {2} {3}',
        url,
        request.model,
        remedyFor(said),
        quote(said),
      ),
    };
  },

  ({ url, said, request, quirks }) => {
    const hasSystem = request.systemPrompt !== '' || (quirks.tools === 'text' && request.tools.length > 0);
    if (!hasSystem || quirks.systemPrompt === 'user') return undefined;
    // Our roles alternate apart from tool results, so only the system message can be wrong.
    const hasResults = quirks.tools === 'native' && request.messages.some(({ role }) => role === 'tool');
    if (!NO_SYSTEM_ROLE.test(said) && (hasResults || !ONLY_TWO_ROLES.test(said))) return undefined;
    return {
      change: { systemPrompt: 'user' },
      message: `${l10n.t('{0} takes no system message for {1}, so its text begins the first user message. A chat template with a system role works better.', url, request.model)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (!request.responseFormat || request.tools.length > 0 || !quirks.responseFormat) return undefined;
    if (!NO_RESPONSE_FORMAT.test(said) && !NOT_COMPILED.test(said)) return undefined;
    return {
      change: { responseFormat: false },
      message: `${l10n.t('{0} cannot hold answers to this JSON Schema, so the model is only told of it.', url)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (!isSchemaRejection(said)) return undefined;
    const sent = request.tools.filter(({ name }) => !quirks.droppedTools.includes(name));
    const step = nextSchemaStep(sent, quirks.strippedSchemas, said);
    if (step) {
      return {
        change: { strippedSchemas: step === 'all' ? true : step },
        message: `${l10n.t('{0} cannot use the schemas of some tools, so they are sent without {1}.', url, leftOut(step))} ${quote(said)}`,
      };
    }
    const plain = sent.map((tool) => ({ ...tool, inputSchema: plainSchema(tool.inputSchema) }));
    const named = namedTool(plain, said) ?? namedTool(sent, said);
    return named === undefined ? undefined : withoutTool(named, url, said, quirks);
  },

  ({ url, said, quirks }) => {
    if (quirks.callIds === 'nine' || !NINE_CHARACTER_IDS.test(said)) return undefined;
    return {
      change: { callIds: 'nine' },
      message: `${l10n.t('{0} takes only ids of nine letters and digits for calls, so the ids are sent in that form.', url)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (!quirks.callsTogether || !ONE_CALL_AT_ONCE.test(said)) return undefined;
    if (!request.messages.some(hasSeveralCalls)) return undefined;
    return {
      change: { callsTogether: false },
      message: `${l10n.t('{0} takes one call in a message for {1}, so calls made together are sent one after the other.', url, request.model)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    if (!CALL_CONTENT.test(said)) return undefined;
    const next = nextCallContent(request.messages, quirks.callContent);
    if (next === undefined) return undefined;
    return {
      change: { callContent: next },
      message: `${l10n.t('{0} accepts no text beside tool calls, so null is sent instead.', url)} ${quote(said)}`,
    };
  },

  ({ url, said, request, quirks }) => {
    const asked = request.sampling.maxTokens;
    if (typeof asked !== 'number' || !TOO_MANY_TOKENS.test(said)) return undefined;
    const sent = Math.min(asked, quirks.maxTokensCap ?? asked);
    const named = [...said.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
    const cap = Math.max(...named.filter((count) => count >= 16 && count < sent));
    if (!Number.isFinite(cap)) return undefined;
    return {
      change: { maxTokensCap: cap },
      message: `${l10n.t('{0} allows answers of at most {1} tokens, so {2} are asked for instead of {3}. Lower maxTokens to match.', url, cap, cap, sent)} ${quote(said)}`,
    };
  },
];

/** Wording of servers about a model without vision, or a server that was started without it. */
const NO_IMAGES =
  /\b(?:images?|image[_ ]urls?|image inputs?|vision|multi-?modal(?: (?:data|inputs?))?)\b.{0,60}(?:not (?:be )?(?:supported|enabled|allowed|accepted)|unsupported|only supported by)|\b(?:image[_ ](?:urls?|inputs?|support)|images|vision|multi-?modal(?: (?:data|inputs?|support))?)\b (?:is|are) not available|(?:does(?: not|n't)|cannot|not) (?:support|accept|take|process|handle|have)\b.{0,30}\b(?:images?|image[_ ]urls?|vision|multi-?modal)|not a (?:multi-?modal|vision) model|at most 0 image|missing data required for image|(?:unknown|invalid|unsupported|unrecognized) (?:variant|content|part|message)?.{0,30}image_url|only text content|mmproj/i;

/** Wording of servers that take images, but not in results. Source: OpenAI. */
const NO_RESULT_IMAGES =
  /(?:images?|image[_ ]urls?)\b.{0,80}\brole\b.{0,20}\b(?:user|tool)|\btool (?:messages?|role|results?)\b.{0,80}\b(?:images?|text|string)/i;

const NO_STREAM_WITH_TOOLS =
  /cannot use tools with stream|(?:tools?|tool calls?|function calling)\b.{0,60}(?:not supported|unsupported|not available).{0,30}stream|stream\w* .{0,30}not supported (?:with|when using) tool/i;

const NO_TOOLS =
  /does not support (?:tools?|function)\b|--enable-auto-tool-choice|--tool-call-parser|tools? param requires --jinja|requires --jinja|(?:tools?|tool use|tool calling|tool calls|function calling) (?:is|are) not (?:supported|enabled|available)|unsupported (?:parameter|field)\W{0,4}tools\b/i;

/** Wording of chat templates without tools about a history with results. */
const NO_TOOL_ROLE =
  /only user(?:,| and)? .{0,30}roles? (?:is|are) supported|conversation roles must alternate|(?:unknown|unexpected|invalid|unsupported) (?:message )?role\W{0,6}tool\b/i;

/** Wording of the same templates about a system message. */
const ONLY_TWO_ROLES = /only user(?:,| and)? .{0,30}roles? (?:is|are) supported|conversation roles must alternate/i;

/** Wording of Gemma 2, older Mistral models, and servers that check it themselves. */
const NO_SYSTEM_ROLE =
  /system (?:role|messages?|prompts?|instructions?) (?:is |are )?(?:not|un)[ -]?(?:supported|allowed|enabled|available)|does(?: not|n't) (?:support|allow|accept|take|have)(?: an?| the| any)? ["'`]?system["'`]? (?:role|messages?|prompts?|instructions?)|(?:unknown|unexpected|invalid|unsupported) (?:message )?role\W{0,6}system\b|developer instruction is not enabled/i;

const NOT_COMPILED =
  /(?:fail\w*|error|unable|could not).{0,20} (?:to )?(?:pars|initiali[sz]|compil|build|generat|convert)\w* .{0,20}grammar|pattern must start with|schema conversion failed|(?:unsupported|invalid|unrecognized|failed to (?:compile|convert)) (?:json[ _])?schema|json[ _]schema error|error resolving ref|unresolv\w+ \$?ref|grammar.{0,20} (?:is )?invalid/i;

const NO_RESPONSE_FORMAT = /response_format|json_schema|structured output|guided[ _](?:json|decoding)/i;

const CALL_CONTENT =
  /either content or tool_calls|content\b.{0,60}\b(?:must|should) be null|null\b.{0,20}\bcontent\b.{0,60}tool_calls?|assistant\b.{0,60}content\b.{0,30}(?:must not|cannot|can't|should not) be empty/i;

/** Wording of Mistral's templates and of its API. */
const NINE_CHARACTER_IDS = /tool[ _-]?call[ _-]?ids?\b.{0,120}\blength (?:of )?(?:9|nine)\b/is;

/** Wording of the templates of Llama 3, and its like. */
const ONE_CALL_AT_ONCE =
  /only supports? (?:a )?single tool[- ]?calls?|(?:only )?one tool[- ]?call (?:at once|at a time|per message)|(?:parallel|multiple) tool[- ]?calls? (?:is|are) not supported/i;

const TOO_MANY_TOKENS =
  /max_(?:completion_|new_)?tokens.{0,120}(?:too large|at most|maximum|exceed|less than|<=|must be|range)/i;

/** Whether the server names this field of the request. */
function isNamed(field: string, said: string, body: string): boolean {
  return said.includes(field) || new RegExp(`"(?:loc|param)"\\s*:[^}]{0,90}"${field}"`).test(body);
}

const MAX_QUOTE_LENGTH = 300;

function quote(said: string): string {
  const start = said.slice(0, MAX_QUOTE_LENGTH).toWellFormed();
  return l10n.t('It says: {0}', `${start}${start.length < said.length ? '…' : ''}`);
}

function remedyFor(said: string): string {
  if (/--enable-auto-tool-choice|--tool-call-parser/.test(said)) {
    return l10n.t('Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model.');
  }
  if (/--jinja/.test(said)) return l10n.t('Start llama-server with --jinja.');
  if (NO_STREAM_WITH_TOOLS.test(said))
    return l10n.t('A newer version of the server, llama-server with --jinja, streams them.');
  if (NO_TOOL_ROLE.test(said))
    return l10n.t('Give the server a chat template with tools, or use a model that has one.');
  return l10n.t('Use a model whose template has tools, such as Qwen3 or gpt-oss.');
}

function imageRemedy(said: string): string {
  if (/mmproj/.test(said))
    return l10n.t('Start llama-server with the --mmproj file of the model, or use another model.');
  return l10n.t('Use a model with vision, such as Qwen2.5-VL, Gemma 3 or Mistral Small 3.');
}

function hasSeveralCalls({ role, content }: Message): boolean {
  return (
    role === 'assistant' && content.filter(({ type }) => type === 'tool_use' || type === 'tool_use_error').length > 1
  );
}

function leftOut(step: SchemaStep): string {
  switch (step) {
    case 'limits':
      return l10n.t('pattern, format and limits of length');
    case 'forms':
      return l10n.t('oneOf, $ref and invalid types');
    case 'all':
      return l10n.t('pattern, format, oneOf, $ref, limits of length and invalid types');
  }
}

/** What to leave out next: first what the server's words are about, then all. `undefined`: nothing is left to leave out. */
function nextSchemaStep(
  tools: readonly ToolDefinition[],
  known: ServerQuirks['strippedSchemas'],
  said: string,
): SchemaStep | undefined {
  if (known === true) return undefined;
  const changesBy = (step: SchemaStep): boolean =>
    tools.some(({ inputSchema }) => plainSchema(inputSchema, step) !== inputSchema);
  const [hasLimits, hasForms] = [changesBy('limits') && known !== 'limits', changesBy('forms') && known !== 'forms'];
  if (!hasLimits && !hasForms) return undefined;
  if (known !== false) return 'all';
  return hasForms && (!hasLimits || rejectsForm(said)) ? 'forms' : 'limits';
}

/** The smallest change that makes another history of this one. */
function nextCallContent(
  messages: readonly Message[],
  known: ServerQuirks['callContent'],
): ServerQuirks['callContent'] | undefined {
  const texts = messages.flatMap((message) => {
    if (message.role !== 'assistant' || message.content.every(({ type }) => type !== 'tool_use')) return [];
    return [message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')];
  });
  if (known === 'string' && texts.includes('')) return 'null_if_empty';
  if (known !== 'null' && texts.some((text) => text !== '')) return 'null';
  return undefined;
}
