/** Which field is wrong is read from every usual shape of a body, whoever wrote it. */
import { expect, it } from 'vitest';
import { read } from '../src/index.ts';

type Named = readonly [path: readonly (string | number)[], message: string];

it.each<[string, number, unknown, readonly Named[]]>([
  [
    'a parameter beside the message',
    400,
    { error: { message: 'Invalid integer: abc', param: 'amount', type: 'invalid_request_error' } },
    [[['amount'], 'Invalid integer: abc']],
  ],
  [
    'a field beside the message',
    422,
    { message: 'must be positive', field: 'order.amount' },
    [[['order', 'amount'], 'must be positive']],
  ],
  ['a field beside an error that is a text', 400, { error: 'invalid', param: 'x' }, [[['x'], 'invalid']]],
  [
    'a map of fields in a problem document',
    400,
    {
      type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
      title: 'One or more validation errors occurred.',
      status: 400,
      traceId: '00-x',
      errors: { Name: ['The Name field is required.'], 'Items[0].Price': ['Between 0 and 100.'] },
    },
    [
      [['Name'], 'The Name field is required.'],
      [['Items', 0, 'Price'], 'Between 0 and 100.'],
    ],
  ],
  [
    'a field that is called as errors call their members',
    422,
    { errors: { status: ['is not a status'], title: ["can't be blank"] } },
    [
      [['status'], 'is not a status'],
      [['title'], "can't be blank"],
    ],
  ],
  [
    'violations among the details of an error with a number',
    400,
    {
      error: {
        code: 400,
        message: 'Invalid JSON payload received.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'parent', description: 'must not be empty' }],
          },
        ],
      },
    },
    [[['parent'], 'must not be empty']],
  ],
  [
    'errors with a location',
    400,
    {
      error: {
        errors: [
          {
            domain: 'global',
            reason: 'required',
            message: 'Required',
            locationType: 'parameter',
            location: 'calendarId',
          },
        ],
        code: 400,
        message: 'Required',
      },
    },
    [[['calendarId'], 'Required']],
  ],
  [
    'errors nested as the input is',
    400,
    {
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        content: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
        embeds: {
          0: { title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer.' }] } },
        },
      },
    },
    [
      [['content'], 'This field is required'],
      [['embeds', 0, 'title'], 'Must be 256 or fewer.'],
    ],
  ],
  [
    'causes among the details',
    422,
    {
      kind: 'Status',
      status: 'Failure',
      message: 'Pod "x" is invalid: spec.containers: Required value',
      reason: 'Invalid',
      details: {
        name: 'x',
        kind: 'Pod',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }],
      },
      code: 422,
    },
    [[['spec', 'containers'], 'Required value']],
  ],
  [
    'a body that is a map of fields',
    400,
    {
      name: ['This field is required.'],
      address: { zip: ['Enter a valid code.'] },
      lines: [{}, { price: ['A valid number is required.'] }],
      non_field_errors: ['The dates overlap.'],
    },
    [
      [['name'], 'This field is required.'],
      [['address', 'zip'], 'Enter a valid code.'],
      [['lines', 1, 'price'], 'A valid number is required.'],
      [[], 'The dates overlap.'],
    ],
  ],
  [
    'errors of fields, flattened',
    400,
    { error: { formErrors: [], fieldErrors: { name: ['Required'] } } },
    [[['name'], 'Required']],
  ],
])('%s', (_what, status, body, named) => {
  const reading = read({ http: { status, headers: {}, body: JSON.stringify(body) } });
  const { kind, issues } = reading.failure ? reading.fault : { kind: undefined, issues: [] };
  expect(issues.map(({ path, message }) => [path, message])).toEqual(named);
  expect(['invalid_arguments', 'unprocessable']).toContain(kind);
});

it.each<[string, number, unknown]>([
  [
    'what a conflict is about',
    409,
    {
      kind: 'Status',
      message: 'pods "x" already exists',
      reason: 'AlreadyExists',
      details: { name: 'x', kind: 'pods' },
      code: 409,
    },
  ],
  ['a map of lists that are no sentences', 500, { tags: ['a', 'b'], hosts: ['c'] }],
  ['an error of a query', 400, { errors: [{ message: 'Cannot query', path: ['a'], locations: [{}] }] }],
])('names no field in %s', (_what, status, body) => {
  const reading = read({ http: { status, headers: {}, body: JSON.stringify(body) } });
  expect(reading.failure && reading.fault.issues).toEqual([]);
});

it('names the field of what was not found, and leaves the kind to the status', () => {
  const error = { code: 'resource_missing', message: "No such customer: 'cus_x'", param: 'customer' };
  const reading = read({ http: { status: 404, headers: {}, body: JSON.stringify({ error }) } });
  expect(reading).toMatchObject({
    failure: true,
    fault: { kind: 'not_found', issues: [{ path: ['customer'], message: "No such customer: 'cus_x'" }] },
  });
});

it('is done with however much a body nests', () => {
  const deep = `${'{"a":'.repeat(20_000)}["no"]${'}'.repeat(20_000)}`;
  const wide = JSON.stringify({
    errors: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i, ['no way']])),
  });
  for (const body of [deep, `{"errors":${deep}}`, wide]) {
    const reading = read({ http: { status: 400, headers: {}, body } });
    expect(reading.failure && reading.fault.issues.length).toBeLessThanOrEqual(64);
  }
});
