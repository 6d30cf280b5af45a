import { describe, expect, it } from 'vitest';
import { DIALECTS } from './dialects/index.ts';
import { restError as platicaError } from './dialects/platica/index.ts';
import { fault, makeFault, read, write } from './index.ts';
import { redactFault } from './redact-fault.ts';

// Put together here, so that no scanner takes the source for a leak.
const PLANTED: readonly string[] = [
  ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_'),
  ['postgres://admin', 'hunter2@10.0.0.5:5432/prod'].join(':'),
  ['AKIA', 'IOSFODNN7EXAMPL3'].join(''),
  'alice.liddell@wonderland.example.org',
];

const leaky = (secret: string) =>
  makeFault({
    kind: 'upstream_failed',
    message: `cannot reach ${secret}`,
    subject: { type: 'upstream', id: secret },
    issues: [{ path: ['url'], message: `bad value ${secret}` }],
    advice: `Check ${secret} first.`,
    details: { reason: `says ${secret}`, nested: { deep: [secret] } },
    native: { dialect: 'onx', code: 4001, message: secret, extra: { details: { reason: secret } } },
  });

describe('what write emits', () => {
  it.each(DIALECTS.map((dialect) => dialect.id))(
    'EM-34 ER-88 QA-3 QA-6 QA-7 %s: no planted secret leaves',
    (id) => {
      for (const secret of PLANTED) {
        for (const placement of ['tool', 'protocol'] as const) {
          expect(JSON.stringify(write(leaky(secret), id, { placement, id: 1 }))).not.toContain(secret);
        }
      }
    },
  );

  it('passes a raw body through for Platica alone', () => {
    const body = JSON.stringify({ code: 404, error: 'No client', details: PLANTED[3] });
    const said = platicaError(404, body) as NonNullable<ReturnType<typeof platicaError>>;
    expect(JSON.stringify(write(said, 'platica').wire)).toContain(PLANTED[3]);
    for (const { id } of DIALECTS.filter((dialect) => dialect.id !== 'platica')) {
      expect(JSON.stringify(write(said, id))).not.toContain(PLANTED[3]);
    }
  });

  it('leaves a harmless fault as it is', () => {
    const harmless = fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } }).fault;
    const { wire } = write(harmless, 'mayday', { id: 1 });
    expect(read(wire)).toMatchObject({ fault: harmless });
  });

  it('can be told not to redact, for a reader who may see everything', () => {
    const secret = PLANTED[0] as string;
    expect(JSON.stringify(write(leaky(secret), 'mayday', { redact: false }))).toContain(secret);
  });
});

it.each(['password', 'api_key', 'token', 'clientSecret'])(
  'takes the id of a subject that is called %s for one',
  (type) => {
    const { fault: said } = fault.notFound('No such', { subject: { type, id: 'Zq8vT2mWx7Lp4Rk9' } });
    expect(JSON.stringify(redactFault(said))).not.toContain('Zq8vT2mWx7Lp4Rk9');
    expect(redactFault(said).subject?.type).toBe(type);
  },
);

it.each(['order', 'session', 'tool', 'key'])('leaves the id of other subjects: %s', (type) => {
  const { fault: said } = fault.notFound('No such', { subject: { type, id: 'order-17' } });
  expect(redactFault(said).subject).toEqual({ type, id: 'order-17' });
});

describe('a field whose name is a secret with dots in it', () => {
  const SECRETS: readonly (readonly [string, string])[] = [
    [
      [
        'eyJhbGciOiJIUzI1NiJ9',
        'eyJzdWIiOiIxMjM0NTY3ODkwIn0',
        'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
      ].join('.'),
      'eyJzdWIi',
    ],
    [['SG', 'aB3dE5gH7jK9mN1pQ3sT5v', 'W7xY9zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY'].join('.'), 'W7xY9z'],
    ['ada.lovelace@example.com', 'lovelace'],
    ['10.20.30.40', '20'],
  ];
  it.each(SECRETS)('does not leave in parts: %s', (secret, part) => {
    for (const said of [
      { errors: { [secret]: 'unknown' } },
      { errors: [{ field: secret, message: 'unknown' }] },
      { errors: [{ instancePath: `/to/${secret}`, message: 'unknown' }] },
      { errors: [{ path: ['to', secret], message: 'unknown' }] },
    ]) {
      const wire = { isError: true, content: [{ type: 'text', text: 'bad' }], structuredContent: said };
      const reading = read(wire) as { readonly fault: Parameters<typeof redactFault>[0] };
      const told = redactFault(reading.fault);
      expect(told.issues).toHaveLength(1);
      expect(JSON.stringify([told.issues, told.message])).not.toContain(part);
    }
  });

  it('keeps the parts around it, and every path that holds none', () => {
    const path = (...parts: (string | number)[]) =>
      redactFault(makeFault({ kind: 'invalid_arguments', issues: [{ path: parts, message: 'unknown' }] }))
        .issues[0]?.path;
    expect(path('to', 10, 20, 30, 40)).toEqual(['to', '[ip:1]', '[ip:2]', '[ip:3]', '[ip:4]']);
    expect(path('to', 'ada.lovelace@example.com')).toEqual(['[email:1]', '[email:2]']);
    expect(path('order', 'items', 0, 'sku')).toEqual(['order', 'items', 0, 'sku']);
  });
});
