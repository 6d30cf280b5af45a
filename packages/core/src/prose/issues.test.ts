import { describe, expect, it } from 'vitest';
import { readBody, readProse } from './index.ts';

describe('issues in texts', () => {
  it.each([
    [
      'Invalid arguments for tool a: Required at guests\nExpected string, received number at room.id',
      [
        { path: ['guests'], message: 'Required' },
        { path: ['room', 'id'], message: 'Expected string, received number' },
      ],
    ],
    [
      'Invalid arguments: roomId: Required, from: Expected date, received string',
      [
        { path: ['roomId'], message: 'Required' },
        { path: ['from'], message: 'Expected date, received string' },
      ],
    ],
    [
      'Input validation error: Invalid arguments for tool get_order: id: Invalid input: expected string, received undefined',
      [{ path: ['id'], message: 'Invalid input: expected string, received undefined' }],
    ],
    [
      'Input validation error: Invalid arguments for tool get_order: id: Invalid input: expected string, received number, n: Too big: expected number to be <=5',
      [
        { path: ['id'], message: 'Invalid input: expected string, received number' },
        { path: ['n'], message: 'Too big: expected number to be <=5' },
      ],
    ],
    [
      'Invalid arguments for prompt p: rows.0.e-mail: Invalid email address, size: Too small: expected string to have >=3 characters, kind: Invalid option: expected one of "a"|"b", tags: pick at most two, please',
      [
        { path: ['rows', 0, 'e-mail'], message: 'Invalid email address' },
        { path: ['size'], message: 'Too small: expected string to have >=3 characters' },
        { path: ['kind'], message: 'Invalid option: expected one of "a"|"b"' },
        { path: ['tags'], message: 'pick at most two, please' },
      ],
    ],
    [
      'Invalid params: id: Invalid input: expected string, received number, n: Too big: expected number to be <=5',
      [
        { path: ['id'], message: 'Invalid input: expected string, received number' },
        { path: ['n'], message: 'Too big: expected number to be <=5' },
      ],
    ],
    ['boardId must be a string', [{ path: ['boardId'], message: 'must be a string' }]],
    ['listId is required', [{ path: ['listId'], message: 'Required', code: 'required' }]],
    ['Missing required parameter: owner', [{ path: ['owner'], message: 'Required', code: 'required' }]],
    [
      '1 validation error for A\nguests\n  Field required [type=missing, input_value={}]',
      [{ path: ['guests'], message: 'Field required', code: 'missing' }],
    ],
  ])('%s', (text, issues) => {
    expect(readProse(text)?.issues).toEqual(issues);
  });

  it('that are about all of it name no field', () => {
    const text = 'Invalid arguments for tool a: Invalid input: expected object, received string';
    expect(readProse(text)).toMatchObject({ kind: 'invalid_arguments' });
    expect(readProse(text)?.issues ?? []).toEqual([]);
  });

  it('are left out where the failure is another', () => {
    expect(readProse('Room 5 not found')).not.toHaveProperty('issues');
  });
});

describe('issues in bodies', () => {
  it('keep path, message and code', () => {
    const body = [{ code: 'invalid_type', path: ['a', 0], message: 'Required' }];
    expect(readBody(body)?.issues).toEqual([{ path: ['a', 0], message: 'Required', code: 'invalid_type' }]);
  });

  it('come from pointers', () => {
    const body = [{ instancePath: '/a/0', schemaPath: '#', keyword: 'type', message: 'must be string' }];
    expect(readBody(body)?.issues).toEqual([{ path: ['a', 0], message: 'must be string', code: 'type' }]);
  });

  it('come from fields', () => {
    expect(readBody({ errors: { 'a.b': ['is wrong'] } })?.issues).toEqual([
      { path: ['a', 'b'], message: 'is wrong' },
    ]);
  });

  it('come from a field and a word', () => {
    const errors = [{ resource: 'Issue', field: 'title', code: 'missing_field' }];
    expect(readBody({ message: 'Validation Failed', errors })?.issues).toEqual([
      { path: ['title'], message: 'missing_field', code: 'missing_field' },
    ]);
  });

  it.each([
    ['a problem document', { 'invalid-params': [{ name: 'age', reason: 'must be a number' }] }],
    ['one with a title', { title: 'Bad', 'invalid-params': [{ name: 'age', reason: 'must be a number' }] }],
    ['violations', { violations: [{ propertyPath: 'age', message: 'must be a number' }] }],
    ['the field itself', { errors: { age: { field: 'age', message: 'must be a number' } } }],
  ])('name their fields: %s', (_what, body) => {
    expect(readBody(body)?.issues).toEqual([{ path: ['age'], message: 'must be a number' }]);
  });

  it('name the field of an error that is listed under something else', () => {
    const body = { errors: { user: [{ field: 'age', message: 'must be a number' }] } };
    expect(readBody(body)?.issues).toEqual([{ path: ['user', 'age'], message: 'must be a number' }]);
  });

  it.each([
    { type: 'image', mimeType: 'image/png; a=b', data: 'AAEC' },
    {
      type: 'resource',
      resource: { uri: 'file:///x', mimeType: 'text/plain; charset=utf-16', blob: 'YQA=' },
    },
  ])('are not what a block of a result holds: %j', (block) => {
    expect(readBody({ content: [block], last: block })?.issues).toBeUndefined();
  });

  it('are not the path of a GraphQL error', () => {
    const body = { errors: [{ message: 'Forbidden', path: ['a'], locations: [] }] };
    expect(readBody(body)).not.toHaveProperty('issues');
  });
});
