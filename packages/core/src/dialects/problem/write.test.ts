import { expect, it } from 'vitest';
import { fault, write } from '../../index.ts';

function headersOf(said: { readonly fault: Parameters<typeof write>[0] }): object {
  const { wire } = write(said.fault, 'problem');
  return (wire as { http: { headers: object } }).http.headers;
}

it('says how to sign in, and when to come back, where that helps', () => {
  const type = { 'content-type': 'application/problem+json' };
  expect(headersOf(fault.notFound('x'))).toEqual(type);
  expect(headersOf(fault.unauthenticated('x'))).toEqual({ ...type, 'www-authenticate': 'Bearer' });
  expect(headersOf(fault.rateLimited('x', { retry: { afterMs: 1500 } }))).toEqual({
    ...type,
    'retry-after': '2',
  });
  expect(headersOf(fault.conflict('x', { retry: { afterMs: 1500 } }))).toEqual(type);
});

it('names the kind in a link, its title, its status, and what happened', () => {
  const { wire } = write(fault.notFound('No such order').fault, 'problem');
  expect((wire as { http: { status: number; body: object } }).http).toMatchObject({
    status: 404,
    body: { title: 'Not found', status: 404, detail: 'No such order', kind: 'not_found' },
  });
});
