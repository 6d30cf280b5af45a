/** An explanation as text for a terminal. */
import type { Fault, Reading } from '@mayday/core';
import { type CatalogueCode, type CatalogueKind, happenedBy } from '@mayday/core/catalog';
import { adviceFor } from '@mayday/core/render';
import { field, harmless, type Style, wrap } from '../style.ts';
import type { Explanation } from './explanation.ts';
import { EXECUTED_WORDS, REACTION_WORDS, WHEN_WORDS } from './words.ts';

/** How to print. */
export interface RenderOptions {
  readonly style: Style;
  readonly columns: number;
}

/** The whole explanation, ending in a newline. */
export function renderExplanation(explanation: Explanation, options: RenderOptions): string {
  const blocks = [
    headline(explanation, options),
    ...(explanation.reading === undefined ? [] : [renderReading(explanation.reading, options)]),
    ...(explanation.as === 'kind' && explanation.kind !== undefined
      ? [renderKind(explanation.kind, options), renderSaid(explanation.said, options)]
      : []),
    ...merge(explanation.meanings).map((group) => renderMeaning(group, options)),
    footer(explanation, options),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function headline(
  { as, query, kind, meanings, dialect }: Explanation,
  { style, columns }: RenderOptions,
): string {
  const shown = harmless(query);
  const count = merge(meanings).length;
  if (as === 'kind' && kind !== undefined)
    return `${style.strong(kind.kind)} ${style.quiet('·')} ${kind.title}`;
  if (as === 'message') return '';
  if (as === 'nothing')
    return wrap(
      `Nothing is known as ${shorten(shown)}. Pass a code, a name, a kind, or paste the whole message.`,
      columns,
    ).join('\n');
  if (count === 0)
    return `${style.strong(shown)}  ${dialect ?? 'no system we know'} gives it ${dialect === undefined ? 'a' : 'no'} meaning`;
  const kinds = new Set(meanings.map((meaning) => meaning.kind));
  if (count === 1) return `${style.strong(shown)}  has one known meaning`;
  if (kinds.size === 1)
    return `${style.strong(shown)}  is said by ${count} sources, always for ${[...kinds][0]}`;
  const warning = as === 'code' ? '; the number alone does not tell which' : '';
  return `${style.strong(shown)}  has ${style.warn(`${count} meanings`)}${warning}`;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

/** Revisions of the specification that agree are one meaning. */
function merge(
  meanings: readonly CatalogueCode[],
): readonly (readonly [CatalogueCode, ...CatalogueCode[]])[] {
  const groups: [CatalogueCode, ...CatalogueCode[]][] = [];
  for (const meaning of meanings) {
    const same = groups.find(([first]) => isMcp(first) && isMcp(meaning) && first.name === meaning.name);
    if (same === undefined) groups.push([meaning]);
    else same.push(meaning);
  }
  return groups;
}

function isMcp({ source }: CatalogueCode): boolean {
  return source.startsWith('mcp@');
}

function renderMeaning(
  group: readonly [CatalogueCode, ...CatalogueCode[]],
  { style, columns }: RenderOptions,
): string {
  const [first] = group;
  const line = (label: string, text: string): string => field(style, label, text, columns);
  const subject = first.subject === null ? '' : ` (${first.subject})`;
  const code = String(first.code) === first.name ? '' : ` ${first.code}`;
  const sources = group.map((meaning) => style.name(meaning.source)).join(', ');
  const spoken = first.source !== 'http' && first.source !== 'errno' && first.title !== first.name;
  const lines = [
    `${sources}${style.name(code)} ${style.quiet('·')} ${style.strong(first.name)}`,
    line('means', `${first.kind}${subject}: ${REACTION_WORDS[first.reaction]}; ${WHEN_WORDS[first.when]}`),
    line('shape', first.shape),
    line('tell by', first.tell),
    ...(spoken ? [line('message', first.title)] : []),
    ...(first.dataKeys.length === 0 ? [] : [line('data', `{${first.dataKeys.join(', ')}}`)]),
    ...retired(group, line),
    line('do', first.advice),
    ...(first.steps.length === 0 ? [] : [line('steps', first.steps.join('; '))]),
  ];
  return lines.join('\n');
}

/** The revisions that still understand a code but never send it. */
function retired(
  group: readonly CatalogueCode[],
  line: (label: string, text: string) => string,
): readonly string[] {
  const silent = group.filter((meaning) => isMcp(meaning) && !meaning.written);
  if (silent.length === 0) return [];
  return [line('note', `understood, never sent, under ${silent.map(({ source }) => source).join(', ')}`)];
}

function renderKind(kind: CatalogueKind, { style, columns }: RenderOptions): string {
  const line = (label: string, text: string): string => field(style, label, text, columns);
  return [
    line('means', kind.meaning),
    line('reaction', `${kind.reaction}: ${REACTION_WORDS[kind.reaction]}`),
    line('retry', `${kind.when}: ${WHEN_WORDS[kind.when]}`),
    line('executed', happenedBy(kind).words),
    line('HTTP', String(kind.http)),
    line('do', kind.advice),
    line('author', kind.author),
  ].join('\n');
}

/** Codes by source; names only where the code is a number. */
function renderSaid(codes: readonly CatalogueCode[], { style, columns }: RenderOptions): string {
  const bySource = new Map<string, string[]>();
  for (const { source, code, name } of codes) {
    const said = bySource.get(source) ?? [];
    said.push(isOwnName(name) || String(code) === name ? String(code) : `${code} ${name}`);
    bySource.set(source, said);
  }
  const width = Math.max(...[...bySource.keys()].map((source) => source.length)) + 2;
  const lines = [...bySource].flatMap(([source, said]) => {
    const [first = '', ...rest] = wrap(said.join(', '), columns - width - 4);
    const margin = ' '.repeat(width + 4);
    return [`    ${style.name(source.padEnd(width))}${first}`, ...rest.map((text) => `${margin}${text}`)];
  });
  return [`  ${style.quiet('said as')}`, ...lines].join('\n');
}

/** Names that only repeat the code. */
function isOwnName(name: string): boolean {
  return name.startsWith('refusal_') || name.startsWith('HTTP ');
}

function renderReading(reading: Reading, options: RenderOptions): string {
  const { style, columns } = options;
  if (!reading.failure) return `${style.strong('No failure')}  the message is a success`;
  const line = (label: string, text: string): string => field(style, label, harmless(text), columns);
  const { fault } = reading;
  const by = reading.dialect === null ? 'no dialect' : reading.dialect;
  return [
    `${style.strong(fault.kind)}${subjectWords(fault)}`,
    line('message', fault.message.slice(0, MAX_MESSAGE)),
    line('reaction', `${fault.reaction}: ${REACTION_WORDS[fault.reaction]}; ${WHEN_WORDS[fault.retry.when]}`),
    line('executed', EXECUTED_WORDS[fault.executed]),
    line('read as', `${by}, ${Math.round(reading.certainty * 100)} % certain`),
    ...reading.evidence.slice(0, MAX_EVIDENCE).map((item) => line('because', `${item.by}: ${item.says}`)),
    line('do', adviceFor(fault)),
  ].join('\n');
}

const MAX_MESSAGE = 500;
const MAX_EVIDENCE = 8;

function subjectWords({ subject }: Fault): string {
  if (subject === undefined) return '';
  const id = subject.id === undefined ? '' : ` ${shorten(harmless(subject.id))}`;
  return ` · ${harmless(subject.type)}${id}`;
}

function footer(explanation: Explanation, { style, columns }: RenderOptions): string {
  const { range, meanings, suggestions, kind, as } = explanation;
  const line = (label: string, text: string): string => field(style, label, text, columns, 0);
  const lines: string[] = [];
  if (range !== undefined) lines.push(line('rule', `MCP 2026-07-28${bounds(range)}: ${range.rule}`));
  if (suggestions.length > 0) lines.push(line('near', suggestions.join(', ')));
  if (as === 'code' && new Set(meanings.map((meaning) => meaning.kind)).size > 1)
    lines.push(line('next', 'Pipe the whole message into `mayday read`; it tells them apart.'));
  if (kind !== undefined) lines.push(line('page', `docs/faults/${kind.kind}.md`));
  return lines.join('\n');
}

function bounds({ id, from, to }: NonNullable<Explanation['range']>): string {
  return id === 'application' ? '' : from === to ? `, ${from}` : `, ${to} to ${from}`;
}
