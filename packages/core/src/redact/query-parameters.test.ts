/** Values of a failed query's parameters, as libraries list them behind it. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

it.each([
  [
    'Failed query: insert into users (email, password) values ($1, $2)\nparams: a@b.c,Tr0ub4dor3xQ',
    'Failed query: insert into users (email, password) values ($1, $2)\nparams: [sql:1]',
  ],
  [
    'Failed query: update users set password = $1 where id = $2\nparams: Tr0ub4dor3xQ,7\nretry later',
    'Failed query: update users set password = $1 where id = $2\nparams: [sql:1]\nretry later',
  ],
  [
    'Failed query: select 1 from users where password = $1\nparams: Tr0ub4dor3xQ',
    'Failed query: select 1 from users where password = $1\nparams: [sql:1]',
  ],
  [
    'Failed query: insert into sessions (id, token) values (?,?)\\nparams: 7,walnut\\n',
    'Failed query: insert into sessions (id, token) values (?,?)\\nparams: [sql:1]\\n',
  ],
])('a list without brackets goes: %j', (text, expected) => {
  expect(redact(text).value).toBe(expected);
});

it.each([
  "Failed query: insert into users (email, password) values ($1, $2)\nparams: ['a@b.c', 'Tr0ub4dor3xQ']",
  'Failed query: insert into users (email, password) values (?, ?)\nparams: ["a@b.c","Tr0ub4dor3xQ"]',
  `Failed query: insert into notes (text, token) values ($1, $2)\nparams: ${'long '.repeat(400)},Tr0ub4dor3xQ`,
  'Failed query: insert into users (email, password) values ($1, $2) on conflict do update set email = excluded.email\nparams: a@b.c,Tr0ub4dor3xQ',
])('no value is left: %j', (text) => {
  expect(redact(text).value).not.toMatch(/Tr0ub4|a@b/);
});

it.each([
  'Failed query: insert into orders (id, qty) values (?,?)\nparams: 7,3',
  'Select a row. Invalid params: name, age',
  'To delete from the list, see params: name and id',
  'Please update the params: set name and age',
  'Failed query: select 1\nparams: ',
  'Unknown params: password, token',
])('stays: %j', (text) => {
  expect(redact(text)).toEqual({ value: text, findings: [] });
});
