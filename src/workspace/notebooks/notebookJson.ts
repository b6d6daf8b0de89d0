import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { readOutput, type CellOutputs } from './cellOutputs';
import { kindOf, matchCells, shownLanguage, type Cell, type CellKind } from './cellText';

/** A notebook of format 4 as it is stored. */
export interface StoredNotebook {
  readonly cells: readonly Cell[];
  /** How many cells have outputs. */
  readonly withOutputs: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const MAX_CELLS = 10_000;

/** What is written first for a new notebook. */
export const EMPTY_NOTEBOOK =
  '{\n "cells": [],\n "metadata": {\n  "language_info": {\n   "name": "python"\n  }\n },\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';

/** Reads the JSON of a notebook. `undefined`: it is none of format 4, and so it is a text like any other. */
export function readNotebook(json: string): StoredNotebook | undefined {
  const parsed = parse(json);
  return (
    parsed && { cells: parsed.map(({ cell }) => cell), withOutputs: parsed.filter((one) => one.hasOutputs).length }
  );
}

/**
 * The JSON of a notebook with other cells. Only cells that differ are written again, and these keep what they have beside
 * their text: metadata, outputs, id. All else stays byte for byte. `undefined`: `json` is no notebook of format 4.
 */
export function withCells(json: string, wanted: readonly Cell[]): string | undefined {
  const stored = parse(json);
  const list = stored && findCells(json);
  if (!stored || !list || list.cells.length !== stored.length) return undefined;
  const from = matchCells(
    stored.map(({ cell }) => cell),
    wanted,
  );
  const isSame = (cell: Cell, old: Cell | undefined): boolean =>
    old?.language === cell.language && old.source === cell.source;
  if (wanted.length === stored.length && wanted.every((cell, i) => from[i] === i && isSame(cell, stored[i]?.cell)))
    return json;

  const ids = new Set(stored.flatMap(({ raw }) => (typeof raw['id'] === 'string' ? [raw['id']] : [])));
  const hasIds = needsIds(json);
  const [, lineEnd = '', indent = ''] = /^\s*\{(\r?\n)?([ \t]*)/.exec(json) ?? [];
  const texts = wanted.map((cell, i) => {
    const index = from[i];
    const old = index === undefined ? undefined : stored[index];
    const span = index === undefined ? undefined : list.cells[index];
    if (old && span && isSame(cell, old.cell)) return json.slice(span.start, span.end);
    const value = old ? changed(old.raw, old.cell, cell) : created(cell, hasIds ? newId(cell, i, ids) : undefined);
    if (lineEnd === '') return JSON.stringify(value);
    return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${indent}${indent}`);
  });
  const join = lineEnd === '' ? '' : `${lineEnd}${indent}${indent}`;
  const end = lineEnd === '' ? '' : `${lineEnd}${indent}`;
  const array = texts.length === 0 ? '[]' : `[${join}${texts.join(`,${join}`)}${end}]`;
  return json.slice(0, list.array.start) + array + json.slice(list.array.end);
}

/** The outputs of all cells that have some. `undefined`: `json` is no notebook of format 4. */
export function readOutputs(json: string): readonly CellOutputs[] | undefined {
  return parse(json)?.flatMap(({ raw }, index) => {
    const { outputs } = raw;
    const known = Array.isArray(outputs) ? outputs.flatMap((output) => readOutput(output) ?? []) : [];
    return known.length === 0 ? [] : [{ cell: index + 1, outputs: known }];
  });
}

interface StoredCell {
  readonly raw: JsonObject;
  readonly cell: Cell;
  readonly hasOutputs: boolean;
}

function parse(json: string): readonly StoredCell[] | undefined {
  const notebook = parseObject(json);
  const cells = notebook?.['cells'];
  const format = notebook?.['nbformat'];
  if (!notebook || !Array.isArray(cells) || cells.length > MAX_CELLS) return undefined;
  if (typeof format !== 'number' || format < 4 || format >= 5) return undefined;
  const language = languageOf(notebook);
  const stored = cells.map((raw: JsonValue) => (isJsonObject(raw) ? readCell(raw, language) : undefined));
  return stored.every((cell) => cell !== undefined) ? stored : undefined;
}

function readCell(raw: JsonObject, language: string): StoredCell | undefined {
  const { cell_type: kind, source, outputs } = raw;
  if (kind !== 'code' && kind !== 'markdown' && kind !== 'raw') return undefined;
  const text = sourceOf(source);
  if (text === undefined) return undefined;
  const cell = { language: shownLanguage(kind, ownLanguage(raw) ?? language), source: text };
  return { raw, cell, hasOutputs: Array.isArray(outputs) && outputs.length > 0 };
}

function sourceOf(source: JsonValue | undefined): string | undefined {
  if (typeof source === 'string') return source;
  if (!Array.isArray(source)) return undefined;
  return source.every((line): line is string => typeof line === 'string') ? source.join('') : undefined;
}

function languageOf(notebook: JsonObject): string {
  const metadata = objectIn(notebook, 'metadata');
  const name = objectIn(metadata, 'language_info')?.['name'] ?? objectIn(metadata, 'kernelspec')?.['language'];
  return typeof name === 'string' ? name : 'python';
}

/** VS Code notes the language of a cell where it is not the notebook's. */
function ownLanguage(raw: JsonObject): string | undefined {
  const name = objectIn(objectIn(raw, 'metadata'), 'vscode')?.['languageId'];
  return typeof name === 'string' ? name : undefined;
}

function objectIn(value: JsonObject | undefined, name: string): JsonObject | undefined {
  const found = value?.[name];
  return isJsonObject(found) ? found : undefined;
}

function changed(raw: JsonObject, old: Cell, cell: Cell): JsonObject {
  const source = Array.isArray(raw['source']) || raw['source'] === '' ? linesOf(cell.source) : cell.source;
  const written = { ...raw, source };
  return old.language === cell.language ? written : { ...written, metadata: withLanguage(raw, cell) };
}

function withLanguage(raw: JsonObject, { language }: Cell): JsonObject {
  const metadata = objectIn(raw, 'metadata') ?? {};
  return { ...metadata, vscode: { ...objectIn(metadata, 'vscode'), languageId: language } };
}

function created(cell: Cell, id: string | undefined): JsonObject {
  const kind: CellKind = kindOf(cell);
  const head: JsonObject = { cell_type: kind, ...(id !== undefined && { id }) };
  const source = linesOf(cell.source);
  if (kind !== 'code') return { ...head, metadata: {}, source };
  const metadata = cell.language === 'python' || cell.language === 'code' ? {} : withLanguage({}, cell);
  return { ...head, execution_count: null, metadata, outputs: [], source };
}

/** As Jupyter stores a text: each line with its line end. */
function linesOf(source: string): string[] {
  return source === '' ? [] : source.split(/(?<=\n)/);
}

/** From format 4.5 on each cell has an id. The same cells get the same ids, so that an edit can be planned twice. */
function newId({ language, source }: Cell, index: number, taken: Set<string>): string {
  for (let count = 0; ; count++) {
    const id = createHash('sha256').update(`${index} ${count} ${language}\n${source}`).digest('hex').slice(0, 8);
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

function needsIds(json: string): boolean {
  const minor = parseObject(json)?.['nbformat_minor'];
  return typeof minor === 'number' && minor >= 5;
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value = JSON.parse(json.startsWith('\uFEFF') ? json.slice(1) : json) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not JSON, or nested too deeply.
    return undefined;
  }
}

/** Where the array of cells and each of its cells stand in valid JSON. */
function findCells(json: string): { readonly array: Span; readonly cells: readonly Span[] } | undefined {
  let found: { readonly array: Span; readonly cells: readonly Span[] } | undefined;
  let at = json.indexOf('{') + 1;
  for (;;) {
    const keyStart = json.indexOf('"', at);
    if (keyStart === -1) return found;
    const keyEnd = endOfString(json, keyStart);
    const start = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const isCells = JSON.parse(json.slice(keyStart, keyEnd)) === 'cells' && json[start] === '[';
    const cells = isCells ? elementsOf(json, start) : undefined;
    const end = cells ? cells.end : endOfValue(json, start);
    // Of equal names the last counts, as in JSON.parse.
    if (cells) found = { array: { start, end }, cells: cells.spans };
    at = skipSpace(json, end);
    if (json[at] !== ',') return found;
    at++;
  }
}

function elementsOf(json: string, open: number): { readonly spans: readonly Span[]; readonly end: number } {
  const spans: Span[] = [];
  let at = skipSpace(json, open + 1);
  while (json[at] !== ']') {
    const end = endOfValue(json, at);
    spans.push({ start: at, end });
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return { spans, end: at + 1 };
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  if (first !== '{' && first !== '[') {
    const end = /[,\]}\s]/g;
    end.lastIndex = start;
    return end.exec(json)?.index ?? json.length;
  }
  const sign = /["{}[\]]/g;
  sign.lastIndex = start;
  for (let depth = 0; ;) {
    const at = sign.exec(json)?.index;
    if (at === undefined) return json.length;
    const letter = json[at];
    if (letter === '"') sign.lastIndex = endOfString(json, at);
    else if (letter === '{' || letter === '[') depth++;
    else if (--depth === 0) return at + 1;
  }
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

function skipSpace(json: string, at: number): number {
  while (' \t\r\n'.includes(json[at] ?? '.')) at++;
  return at;
}
