/** What crosses the admin API, as JSON Schemas: requests are checked with them, and the OpenAPI document is made of them. */
import { KIND_NAMES } from '@mayday/core';
import type { ObjectSchema, Schema } from './operation.ts';

const TEXT: Schema = { type: 'string' };
const WHOLE: Schema = { type: 'integer', minimum: 0 };
const TIME: Schema = { type: 'string', format: 'date-time' };

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** Everything in it is there, unless it is named as optional. */
function object(properties: { readonly [name: string]: Schema }, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

/** What somebody sends: nothing else is taken. */
export function request(
  properties: { readonly [name: string]: Schema },
  required: readonly string[] = [],
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** By its name in the document. */
export function ref(name: ComponentName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** What moves a cursor, turns a line around, or is not seen. */
const CONTROL = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

/** A name that people and logs can read. */
export function nameOf(description: string, maxLength = 100): Schema {
  return {
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: `^[^\\s${CONTROL}](?:[^${CONTROL}]*[^\\s${CONTROL}])?$`,
    description: `${description}: 1 to ${maxLength} characters that can be seen, no line breaks, and no blanks around it`,
  };
}

const KEY = {
  id: { ...TEXT, description: 'Its name in lists and logs, and a part of the key.' },
  name: { ...TEXT, description: 'Who has it.' },
  role: { enum: ['caller', 'operator'] },
  upstreams: { ...orNull(listOf(TEXT)), description: 'Only these; all, and `/mcp`, if null.' },
  tenant: orNull(TEXT),
  scopes: listOf(TEXT),
  dialect: orNull(TEXT),
  created_at: TIME,
  expires_at: orNull(TIME),
  last_used_at: { ...orNull(TIME), description: 'To the minute.' },
  state: { enum: ['good', 'expired', 'revoked'] },
} as const;

const FAULT = {
  id: { ...TEXT, description: 'Its place in the journal, to go on from.' },
  at: TIME,
  fingerprint: { ...TEXT, description: 'The group that it belongs to.' },
  kind: { enum: KIND_NAMES },
  origin: TEXT,
  upstream: TEXT,
  message: { ...TEXT, description: 'Redacted.' },
  details: { description: 'Which call it was, and what became of it.' },
} as const;

const GROUP = {
  fingerprint: FAULT.fingerprint,
  kind: FAULT.kind,
  origin: TEXT,
  upstream: TEXT,
  message: { ...TEXT, description: 'What the last one said, redacted.' },
  count: WHOLE,
  first_seen: TIME,
  last_seen: TIME,
} as const;

const UPSTREAM = {
  name: TEXT,
  type: { enum: ['command', 'url', 'openapi'] },
  endpoint: TEXT,
  sessions: WHOLE,
  max_sessions: { ...WHOLE, description: 'As many there may be; absent of a server behind a URL.' },
  processes: WHOLE,
  operations: {
    ...object({ tools: WHOLE, left_out: listOf(TEXT) }),
    description: 'Of an API: how many operations of its document are tools, and why the others are none.',
  },
  circuit: { enum: ['closed', 'open', 'half_open'] },
  troubled: { ...listOf(TEXT), description: 'Tools that are held back now.' },
  trouble: object({ kind: { enum: KIND_NAMES }, message: TEXT, since: TIME }),
} as const;

const COUNTED = {
  calls: WHOLE,
  by: { ...listOf(TEXT), description: 'What is counted apart; all calls together if empty.' },
  tools: { ...listOf(TEXT), description: 'What it is for; everything if absent.' },
} as const;

type ComponentName =
  | 'Key'
  | 'NewKey'
  | 'Revoked'
  | 'Credential'
  | 'RemovedCredential'
  | 'Approval'
  | 'Decision'
  | 'Fault'
  | 'FaultGroup'
  | 'FaultGroupDetails'
  | 'AuditRow'
  | 'Verdict'
  | 'Status'
  | 'Problem';

/** Every document, by its name. */
export const COMPONENTS: { readonly [name in ComponentName]: Schema } = {
  Key: { ...object(KEY), description: 'A key, without its secret.' },
  NewKey: {
    ...object({ key: { ...TEXT, description: 'The secret: shown once, kept nowhere.' }, ...KEY }),
    description: 'A key, with its secret.',
  },
  Revoked: object({ id: TEXT, revoked: { const: true } }),
  Credential: {
    ...object({
      caller: TEXT,
      upstream: TEXT,
      created_at: TIME,
      changed_at: { ...TIME, description: 'Since when it is the one that it is.' },
    }),
    description: 'Who has a credential for which server. The credential itself is never told.',
  },
  RemovedCredential: object({ caller: TEXT, upstream: TEXT, removed: { const: true } }),
  Approval: {
    ...object({
      id: TEXT,
      caller: { ...orNull(TEXT), description: 'Whose call it is; nobody is known by name without keys.' },
      tool: { ...TEXT, description: '`upstream/name`, as rules have it.' },
      arguments: { description: 'Redacted.' },
      asked_at: TIME,
      expires_at: TIME,
    }),
    description: 'A call that waits for consent.',
  },
  Decision: object({
    id: TEXT,
    caller: orNull(TEXT),
    tool: TEXT,
    decision: { enum: ['approved', 'rejected'] },
  }),
  Fault: { ...object(FAULT, ['upstream', 'details']), description: 'A failure of the journal.' },
  FaultGroup: {
    ...object(GROUP, ['upstream']),
    description: 'Failures of one upstream and kind that say the same.',
  },
  FaultGroupDetails: object(
    {
      ...GROUP,
      counts: {
        ...listOf(object({ at: TIME, count: WHOLE })),
        description: 'How many there were, for each minute that had any.',
      },
      faults: { ...listOf(object(FAULT, ['upstream', 'details'])), description: 'The newest first.' },
    },
    ['upstream'],
  ),
  AuditRow: object(
    {
      seq: { type: 'integer', minimum: 1 },
      at: TIME,
      actor: TEXT,
      action: TEXT,
      target: TEXT,
      details: {},
      hash: { ...TEXT, description: 'SHA-256 over this row and the hash of the one before.' },
    },
    ['target', 'details'],
  ),
  Verdict: {
    oneOf: [
      object({ ok: { const: true }, rows: WHOLE, head: TEXT }),
      object({ ok: { const: false }, broken_at: { type: 'integer', minimum: 1 } }),
    ],
  },
  Status: {
    ...object(
      {
        started_at: TIME,
        faults: { ...WHOLE, description: 'Failures since the start.' },
        upstreams: listOf(
          object(UPSTREAM, ['sessions', 'max_sessions', 'processes', 'operations', 'trouble']),
        ),
        joined: object({ endpoint: TEXT, sessions: WHOLE }),
        virtual: listOf(object({ name: TEXT, endpoint: TEXT, sessions: WHOLE, upstreams: listOf(TEXT) })),
        limits: {
          ...object({
            body_bytes: WHOLE,
            message_bytes: WHOLE,
            caller_bytes: WHOLE,
            sessions: object({ max: WHOLE, per_caller: WHOLE }),
            rates: listOf(
              object({ ...COUNTED, per_ms: WHOLE, algorithm: TEXT, costs: { type: 'object' } }, [
                'tools',
                'costs',
              ]),
            ),
            concurrency: listOf(object(COUNTED, ['tools'])),
          }),
          description: 'What is too much, as the settings have it.',
        },
        store: object({ engine: TEXT, ok: { type: 'boolean' }, problem: TEXT, warnings: listOf(TEXT) }, [
          'problem',
        ]),
        error_budgets: listOf({ type: 'object' }),
        telemetry: { type: 'object' },
        workers: {
          ...listOf(object({ worker: WHOLE, pid: WHOLE, started_at: TIME, restarts: WHOLE })),
          description:
            'The workers that take calls, where there are several; all else is told of them together.',
        },
      },
      ['joined', 'virtual', 'store', 'error_budgets', 'telemetry', 'workers'],
    ),
    description: 'The same as `/-/status`.',
  },
  Problem: {
    ...object(
      {
        type: { type: 'string', format: 'uri' },
        title: TEXT,
        status: { type: 'integer', minimum: 400, maximum: 599 },
        detail: { ...TEXT, description: 'What happened.' },
        kind: { enum: KIND_NAMES },
        reaction: { enum: ['validation', 'permission', 'retryable', 'dependency', 'terminal'] },
        retryable: { type: 'boolean' },
        retry: { type: 'object' },
        executed: { enum: ['no', 'maybe', 'yes'], description: 'Whether the change was made.' },
        origin: TEXT,
        subject: { type: 'object' },
        issues: listOf({ type: 'object' }),
        advice: { ...TEXT, description: 'What to do.' },
        details: { type: 'object' },
      },
      ['subject', 'issues', 'advice', 'details'],
    ),
    description: 'A fault, as RFC 9457 has it.',
  },
};

/** Some documents under one name. */
export function named(name: string, schema: Schema): Schema {
  return object({ [name]: listOf(schema) });
}

/** How many are wanted. */
export function limit(otherwise: number): Schema {
  return {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: otherwise,
    description: `As many, from 1 to 10000; ${otherwise} if absent.`,
  };
}
