import { describe, expect, it } from 'vitest';
import { forDeveloper, forModel, forOperator } from '../entries/render.ts';
import { fault, KIND_NAMES, makeFault } from '../index.ts';

const full = fault.upstreamFailed('The shop backend failed', {
  subject: { type: 'tool', id: 'search' },
  retry: { afterMs: 1500 },
  correlationId: 'c-1',
  details: { region: 'eu' },
}).fault;

describe('renderings', () => {
  it('tells the model what happened, what to do, and how long to wait', () => {
    expect(forModel(full)).toBe(
      'The shop backend failed. A service behind the tool failed; back off, then try again if it is safe to repeat. Wait at least 2 s.',
    );
  });

  it('follows a declared reaction instead of the kind', () => {
    expect(forModel(fault.timeout('Too slow', { retryable: false }).fault)).toBe(
      'Too slow. Do not retry; tell the user.',
    );
    expect(forModel(fault.internal('Odd', { retryable: true }).fault)).toBe(
      'Odd. This may pass; wait a little, then call again.',
    );
    expect(forModel(fault.notReady('Use browser_navigate first', { retryable: false }).fault)).toBe(
      'Use browser_navigate first. A step before it is missing; take that first, then call again.',
    );
    expect(forModel(fault.notReady('Not open', { reaction: 'terminal' }).fault)).toBe(
      'Not open. Do not retry; tell the user.',
    );
  });

  it.each(KIND_NAMES)('asks nobody to call again after what is not worth another try: %s', (kind) => {
    expect(forModel(makeFault({ kind, reaction: 'terminal' }))).not.toMatch(/call again|try again/);
  });

  it('does not say that it ran where nobody knows, or where it did not', () => {
    const unusable = (executed: 'yes' | 'maybe' | 'no'): string =>
      forModel(fault.invalidOutput('No JSON', { executed }).fault);
    expect([unusable('yes'), unusable('maybe'), unusable('no')]).toEqual([
      'No JSON. It ran but its answer was unusable; do not repeat it, tell the user.',
      'No JSON. It may have run, but its answer was unusable; do not repeat it, tell the user.',
      'No JSON. Its answer was unusable, and nothing was done; do not repeat it, tell the user.',
    ]);
  });

  it.each([
    ['Invalid input at a\nInvalid input at b', 'Invalid input at a; Invalid input at b.'],
    ['Exit code: 128\nStderr: no repository\n\nStdout: ', 'Exit code: 128; Stderr: no repository; Stdout:.'],
    ['No exact match for:\nZzz', 'No exact match for: Zzz.'],
    ['One.\nTwo, which is\nlonger', 'One. Two, which is longer.'],
  ])('puts lines one behind the other: %j', (message, told) => {
    expect(forModel(fault.internal(message).fault)).toBe(
      `${told} Unexpected failure in the server; do not retry, tell the user.`,
    );
  });

  it('lists issues, and cuts what does not fit', () => {
    const issues = Array.from({ length: 30 }, (_, at) => ({
      path: ['field', at],
      message: 'must be a number',
    }));
    const text = forModel(fault.invalidArguments('Bad input', { issues }).fault);
    expect(text).toMatch(
      /^Bad input: field\.0: must be a number; .* … Correct the arguments, then call again\.$/,
    );
    expect(text.split(/\s+/).length).toBeLessThan(60);
    expect(forModel(fault.internal('x'.repeat(10_000_000)).fault).length).toBeLessThan(400);
  });

  it('spells everything out for the developer', () => {
    expect(forDeveloper(full)).toMatchInlineSnapshot(`
      "Upstream failed (upstream_failed): The shop backend failed
        subject  tool search
        reaction dependency; may be retried, after_wait
        wait     1500 ms
        executed maybe
        origin   upstream
        details  {"region":"eu"}
        id       c-1
        next     A service behind the tool failed; back off, then try again if it is safe to repeat. Wait at least 2 s."
    `);
  });

  it('is one line for the operator, whatever the fault holds', () => {
    expect(forOperator(full)).toBe(
      'kind=upstream_failed reaction=dependency origin=upstream executed=maybe subject=tool:search wait_ms=1500 id=c-1 "The shop backend failed"',
    );
    expect(forOperator(fault.notFound('a\nb', { subject: { type: 'x', id: 'y\nz' } }).fault)).not.toContain(
      '\n',
    );
  });

  it('names the fields that issues are about for the operator, a few of many, and none of what was in them', () => {
    const line = (...paths: (readonly (string | number)[])[]): string =>
      forOperator(
        fault.invalidArguments('Invalid arguments', {
          issues: paths.map((path) => ({ path, message: 'Expected "open", received "s3cret-value"' })),
        }).fault,
      );
    expect(line(['user', 'name'], ['items', 0, 'id'], ['user', 'name'])).toBe(
      'kind=invalid_arguments reaction=validation origin=caller executed=no fields=user.name,items.0.id "Invalid arguments"',
    );
    expect(line([], ['a'])).toContain(' fields=a "Invalid');
    expect(line([])).not.toContain('fields');
    expect(line(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name]))).toContain(
      ' fields=a,b,c,d,e,… ',
    );
    expect(line(['a\nb "c", d=1'])).toContain(' fields="a\\nb \\"c\\", d=1" ');
    expect(line(['x'.repeat(10_000)]).length).toBeLessThan(300);
  });
});

it('tells an issue once, whichever way the message tells it', () => {
  const missing = { path: ['q'], message: 'Required' };
  const said = (message: string, issues = [missing]) =>
    forModel(fault.invalidArguments(message, { issues }).fault);
  const next = 'Correct the arguments, then call again.';
  expect(said('Invalid arguments: q is required')).toBe(`Invalid arguments: q is required. ${next}`);
  expect(said('Invalid arguments: q: Required')).toBe(`Invalid arguments: q: Required. ${next}`);
  expect(said('Invalid arguments')).toBe(`Invalid arguments: q: Required. ${next}`);
  expect(said('A query is required')).toBe(`A query is required: q: Required. ${next}`);
  expect(said('q is required', [missing, { path: ['p'], message: 'Required' }])).toBe(
    `q is required: p: Required. ${next}`,
  );
});
