/** The pages under `docs/dialects/`: what a dialect's tables say, and the same faults said in each. */
import { type Fault, fault, KIND_NAMES, language, makeFault } from '@mayday/core';
import { type CatalogueCode, codesOf } from '@mayday/core/catalog';
import { DIALECTS, type Dialect } from '@mayday/core/dialects';
import { table } from '../packages/cli/src/catalog/markdown.ts';
import type { Parts } from './fault-pages.ts';

/** The dialects, each of which has a page; another name of one has none. */
export const PAGED_DIALECTS: readonly Dialect[] = DIALECTS.filter(({ aliasOf }) => aliasOf === undefined);

/** The name of a dialect's page: it is part of addresses. */
export function dialectPage({ id }: Dialect): string {
  return id.replace('@', '-');
}

/** The moment and the identifiers of the examples, so that a page is the same tomorrow. */
const FIXED = { id: 1, method: 'tools/call', now: Date.UTC(2026, 10, 16, 12), correlationId: '7d0c-4f1e' };

const SAID: readonly (readonly [title: string, said: Fault])[] = [
  [
    'A limit that says when to come back',
    fault.rateLimited('Too many searches', {
      subject: { type: 'tool', id: 'search' },
      retry: { afterMs: 30_000 },
      executed: 'no',
    }).fault,
  ],
  [
    'Something that is not there',
    fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } }).fault,
  ],
];

/** What the page of a dialect says in its generated parts. */
export function dialectParts(dialect: Dialect): Parts {
  return {
    facts: factsText(dialect),
    examples: SAID.map(([title, said]) => exampleText(dialect, title, said)).join('\n\n'),
    losses: lossesText(dialect),
    codes: codesTable(codesOf(dialect)),
  };
}

/** What the index says. */
export function dialectIndex(): Parts {
  const rows = PAGED_DIALECTS.map((dialect) => [
    `[\`${dialect.id}\`](dialects/${dialectPage(dialect)}.md)`,
    dialect.title,
    dialect.shape ?? '',
    String(dialect.codes.length),
  ]);
  return { dialects: table(['name', 'whose', 'where its failures sit', 'codes'], rows) };
}

/** A page for a dialect that has none yet. */
export function newDialectPage({ title }: Dialect): string {
  const part = (name: string): string => `<!-- generated: ${name} -->\n<!-- end: ${name} -->`;
  return [
    `# The dialect of ${title}`,
    part('facts'),
    '## The same faults, said in it',
    part('examples'),
    '## What it cannot say',
    part('losses'),
    '## Its codes',
    part('codes'),
  ]
    .join('\n\n')
    .concat('\n');
}

const PLACES: { readonly [place: string]: string } = {
  tool: 'as the result of a tool',
  protocol: 'as an error of the protocol',
  http: 'as an HTTP response',
};

function factsText(dialect: Dialect): string {
  const { id, shape = '', tell = '', places = ['protocol', 'tool', 'http'] } = dialect;
  const names = [id, ...DIALECTS.filter(({ aliasOf }) => aliasOf === id).map((alias) => alias.id)];
  const facts = [
    `**Name**: ${names.map((name) => `\`${name}\``).join(' or ')}`,
    `**Where its failures sit**: ${shape}`,
    `**Told by**: ${code(tell)}`,
    `**Goes out**: ${places.map((place) => PLACES[place]).join(', or ')}`,
  ];
  if (dialect.closed === true) facts.push('**Closed**: its document allows nothing beside its own form');
  if (dialect.oneRefusal === true)
    facts.push('**One refusal**: for what is denied and for what is not there');
  return facts.map((fact) => `- ${fact}`).join('\n');
}

/** What looks like Markdown and is not. */
function code(text: string): string {
  return text.replace(/\S*[_[\]<>*]\S*/g, (word) => {
    const [, core = word, end = ''] = /^(.*?)([,;.]?)$/.exec(word) ?? [];
    return `\`${core}\`${end}`;
  });
}

function exampleText(dialect: Dialect, title: string, said: Fault): string {
  const { wire, envelope, losses } = language.write(said, dialect.id, FIXED);
  const inner = envelope === undefined ? '' : `Inside, the envelope is:\n\n${json(envelope)}\n\n`;
  const lost =
    losses.length === 0 ? 'Nothing is lost.' : `Lost: ${losses.map((name) => `\`${name}\``).join(', ')}.`;
  return `${title}:\n\n${json(wire)}\n\n${inner}${lost}`;
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** One plain fault of every kind, written and read back. */
function lossesText(dialect: Dialect): string {
  const byLoss = new Map<string, string[]>();
  for (const kind of KIND_NAMES) {
    const { losses } = language.write(makeFault({ kind }), dialect.id, FIXED);
    const key = losses.map((name) => `\`${name}\``).join(', ');
    byLoss.set(key, [...(byLoss.get(key) ?? []), `[\`${kind}\`](../faults/${kind}.md)`]);
  }
  const all = byLoss.get('');
  if (all?.length === KIND_NAMES.length)
    return 'A fault of every kind, written and read back, is the same fault.';
  const rows = [...byLoss].map(([lost, kinds]) => [lost === '' ? 'nothing' : lost, kinds.join(', ')]);
  return `A plain fault of every kind, written and read back:\n\n${table(['loses', 'kinds'], rows)}`;
}

function codesTable(codes: readonly CatalogueCode[]): string {
  const hasSteps = codes.some(({ steps }) => steps.length > 0);
  const head = ['code', 'name', 'kind', 'subject', 'worth a retry', 'message or meaning'];
  return table(
    hasSteps ? [...head, 'what its document tells you to do'] : head,
    codes.map((row) => [
      `\`${row.code}\``,
      row.name,
      `[\`${row.kind}\`](../faults/${row.kind}.md)`,
      row.subject ?? '–',
      row.retryable ? 'yes' : 'no',
      row.written ? row.title : `${row.title} (read, never written)`,
      ...(hasSteps ? [row.steps.join('; ')] : []),
    ]),
  );
}
