/** Values in which a secret may hide from a walk over strings and keys. Each must come back without it. */
export const SHAPES: ReadonlyArray<readonly [name: string, make: (secret: string) => unknown]> = [
  ['a key that tells', (secret) => ({ password: secret })],
  ['a nested key', (secret) => ({ a: [{ b: { client_secret: secret } }] })],
  ['an object under the key', (secret) => ({ credentials: { user: 'bob', value: secret } })],
  ['an object under the key, other name', (secret) => ({ password: { plain: secret } })],
  ['a list under the key', (secret) => ({ tokens: [secret] })],
  ['name beside value', (secret) => ({ name: 'Authorization', value: `Bearer ${secret}` })],
  ['key beside value', (secret) => ({ key: 'db_password', value: secret })],
  ['field beside rejected value', (secret) => ({ field: 'password', rejectedValue: secret })],
  ['path beside input', (secret) => ({ loc: ['body', 'password'], msg: 'too short', input: secret })],
  ['path list beside received', (secret) => ({ path: ['user', 'password'], received: secret })],
  ['pairs in lists', (secret) => [['password', secret]]],
  ['entries of headers', (secret) => ({ headers: [['authorization', `Bearer ${secret}`]] })],
  ['raw headers', (secret) => ({ rawHeaders: ['Host', 'x', 'Authorization', `Bearer ${secret}`] })],
  ['raw headers with an odd token', (secret) => ({ rawHeaders: ['X-Api-Key', secret, 'Accept', '*/*'] })],
  ['arguments', (secret) => ['--password', secret]],
  ['arguments of a spawn', (secret) => ({ spawnargs: ['-u', 'bob', '--token', secret] })],
  ['arguments in one', (secret) => [`--api-key=${secret}`]],
  ['a short flag of curl', (secret) => ({ cmd: ['curl', '-u', `bob:${secret}`] })],
  ['a map', (secret) => new Map([['password', secret]])],
  ['a map of maps', (secret) => new Map([['x', new Map([['apiKey', secret]])]])],
  ['a set', (secret) => new Set([`password=${secret}`])],
  ['a boxed string', (secret) => ({ password: new String(secret) })],
  ['a boxed string in text', (secret) => [new String(`password=${secret}`)]],
  ['toJSON to a string', (secret) => ({ toJSON: () => `password=${secret}` })],
  ['toJSON to an object', (secret) => ({ toJSON: () => ({ password: secret }) })],
  ['toJSON under a key', (secret) => ({ password: { toJSON: () => secret } })],
  [
    'toJSON on a prototype',
    (secret) =>
      new (class Config {
        toJSON(): unknown {
          return { api_key: secret };
        }
      })(),
  ],
  ['toJSON to toJSON', (secret) => ({ toJSON: () => ({ inner: { toJSON: () => ({ token: secret }) } }) })],
  [
    'a getter',
    (secret) => ({
      get password() {
        return secret;
      },
    }),
  ],
  [
    'a hidden property of an error',
    (secret) => Object.defineProperty(new Error('x'), 'config', { value: { password: secret } }),
  ],
  ['the message of an error', (secret) => new Error(`password=${secret}`)],
  ['the cause of an error', (secret) => new Error('x', { cause: new Error(`password=${secret}`) })],
  ['an aggregate error', (secret) => new AggregateError([new Error(`password=${secret}`)], 'x')],
  [
    'a property of an error',
    (secret) => Object.assign(new Error('x'), { config: { headers: { authorization: secret } } }),
  ],
  ['headers', (secret) => new Headers({ authorization: `Bearer ${secret}` })],
  ['search parameters', (secret) => new URLSearchParams({ access_token: secret })],
  ['a URL', (secret) => new URL(`https://bob:${secret}@example.com/`)],
  [
    'a request',
    (secret) => new Request('https://example.com/', { headers: { authorization: `Bearer ${secret}` } }),
  ],
  [
    'form data',
    (secret) => {
      const form = new FormData();
      form.set('password', secret);
      return form;
    },
  ],
  ['bytes', (secret) => new TextEncoder().encode(`password=${secret}`)],
  ['a buffer', (secret) => ({ data: Buffer.from(`password=${secret}`) })],
  ['bytes under a key', (secret) => ({ password: Buffer.from(secret) })],
  ['an array buffer', (secret) => new TextEncoder().encode(`password=${secret}`).buffer],
  [
    'a buffer as JSON',
    (secret) => JSON.parse(JSON.stringify({ x: Buffer.from(`password=${secret}`) })) as unknown,
  ],
  ['a symbol', (secret) => ({ tag: Symbol(`password=${secret}`) })],
  ['a symbol as key', (secret) => ({ [Symbol('password')]: secret })],
  ['a function', (secret) => Object.assign(() => 1, { password: secret })],
  ['a date-like', (secret) => ({ password: Object.assign(new Date(0), { note: `password=${secret}` }) })],
  ['a regular expression', (secret) => new RegExp(`password=${secret}`)],
  ['a null prototype', (secret) => Object.assign(Object.create(null) as object, { password: secret })],
  ['a proxy', (secret) => new Proxy({ password: secret }, {})],
  ['a wrapped value', (secret) => ({ password: [[secret]] })],
  ['a key that is the secret', (secret) => ({ [`password=${secret}`]: 1 })],
  [
    'a sparse list',
    (secret) => {
      const list: unknown[] = [];
      list[5] = `password=${secret}`;
      return list;
    },
  ],
  ['a list with a property', (secret) => Object.assign([1], { password: secret })],
  ['JSON in text', (secret) => ({ body: JSON.stringify({ password: secret }) })],
  [
    'JSON in JSON in text',
    (secret) => ({ body: JSON.stringify({ b: JSON.stringify({ password: secret }) }) }),
  ],
  ['a list of letters', (secret) => ({ password: [...secret] })],
  ['columns and rows', (secret) => ({ columns: ['user', 'password'], rows: [['bob', secret]] })],
  ['fields of a query', (secret) => ({ sql: 'select ?', bindings: [`password=${secret}`] })],
  ['env', (secret) => ({ env: { DB_PASSWORD: secret } })],
  ['env as list', (secret) => ({ env: [`DB_PASSWORD=${secret}`] })],
  ['env as name and value', (secret) => ({ env: [{ name: 'DB_PASSWORD', value: secret }] })],
  ['a DynamoDB item', (secret) => ({ password: { S: secret } })],
  ['a protobuf value', (secret) => ({ fields: { password: { stringValue: secret } } })],
  ['a HAR header', (secret) => ({ headers: [{ name: 'Cookie', value: `sid=${secret}` }] })],
  ['a HAR parameter', (secret) => ({ postData: { params: [{ name: 'password', value: secret }] } })],
];
