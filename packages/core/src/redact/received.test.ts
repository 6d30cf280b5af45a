/** What a sentence says was received, beside the name of a secret: whoever words it, and in whichever order. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const P = 'hunter2correctZ';

describe('goes', () => {
  it.each([
    // The name first.
    `At path: password -- Expected a number, but received: "${P}"`,
    `Expected a value of type \`number\` for \`password\` but received \`"${P}"\`.`,
    `Invalid environment variables: DB_PASSWORD: Invalid url: "${P}"`,
    `DB_PASSWORD: Invalid url input: "${P}"`,
    `error: option '--password <n>' argument '${P}' is invalid. Allowed choices are a, b.`,
    `argument --password: invalid int value: '${P}'`,
    `Secret "x" is invalid: data[password]: Invalid value: "${P}": must be base64`,
    `spec.password: Invalid value: "${P}": must be no more than 5 characters`,
    `db.apiKey must match /^x/ (was "${P}")`,
    `password must be a number (was a string "${P}")`,
    `password must be at least length 20 (was "${P}")`,
    `password must be a \`number\` type, but the final value was: \`"${P}"\`.`,
    `{ readonly password: number }\n└─ ["password"]\n   └─ Expected number, actual "${P}"`,
    `Invalid values:\n  Argument: token, Given: "${P}", Choices: "a", "b"`,
    `Variable "$password" got invalid value "${P}"; Expected type Int.`,
    `The "password" argument must be of type number. Received type string ('${P}')`,
    `The property 'options.secret' is invalid. Received '${P}'`,
    `Validation failed: -- Password: 'Password' must be 20 characters or more. You entered '${P}'.`,
    `request.body.password should be >= 20 chars, you sent ${P}`,
    `"token" must be one of [a]. Received: ${P}`,
    `Invalid password: received '${P}', expected 20 characters`,
    `Expected property string \`password\` to have a minimum length of 20, got \`${P}\` in object \`options\``,
    `password: length 15 < 20 for value ${P}`,
    `password: invalid value "${P}" (does not satisfy len >= 20)`,
    `invalid value for field password: "${P}" is too short`,
    `not a valid value for dictionary value @ data['password']. Got '${P}'`,
    `Invalid config for 'x': expected int for dictionary value 'password', got '${P}'`,
    `Invalid: ConstraintViolationImpl{interpolatedMessage='size must be between 20 and 30', propertyPath=password, rootBeanClass=class User, invalidValue=${P}}`,
    `Invalid password: 'abc' !== '${P}'`,
    `Expected token "abc" to equal "${P}"`,
    `{'password': ["unallowed value ${P}"]}`,
    `{'password': ['“${P}” value must be an integer.']}`,
    `{"errors":{"Password":["The value '${P}' is not valid."]}}`,
    // The value first.
    `Invalid value "${P}" supplied to : { password: number }/password: number`,
    `1 validation error detected: Value '${P}' at 'password' failed to satisfy constraint: Member must have length greater than or equal to 20`,
    `The value '${P}' is not valid for Password.`,
    `Variable "$i" got invalid value "${P}" at "i.password"; Int cannot represent non-integer value: "${P}"`,
    `Cannot deserialize value of type \`int\` from String "${P}": not a valid \`int\` value (through reference chain: User["password"])`,
    `error: invalid value '${P}' for '--password <PASSWORD>': must be longer`,
    `Invalid string: ${P}; must be at least 20 characters (parameter: api_key)`,
    `json: cannot unmarshal string ${P} into Go struct field User.password of type int`,
    `invalid type: string "${P}", expected u32 for key \`db.password\` at line 2`,
    `'${P}' is too short\n\nFailed validating 'minLength' in schema['properties']['password']:\n    {'type': 'string', 'minLength': 20}\n\nOn instance['password']:\n    '${P}'`,
    `Invalid value "${P}" for STRIPE_WEBHOOK_SECRET`,
    'Forbidden: Zx9-kQ4wLm2p is not a valid API key',
    'Invalid user: [object User name=ann password=<Zx9-kQ4wLm2p>]',
    'user svc/Zx9-kQ4wLm2p@//db:1521/XE not found',
    "ERR unknown command 'AUHT', with args beginning with: 'default' 'hunter2correctZ'",
    'Invalid YAML:\nsecrets:\n  - Zx9-kQ4wLm2p\n  - b',
  ])('%s', (text) => {
    const { value } = redact(text);
    expect(value).not.toContain(P);
    expect(value).not.toContain('Zx9-kQ4wLm2p');
  });

  it('even an ordinary word, where it is said to have been received as a password', () => {
    expect(redact('At path: password -- Expected a number, but received: "swordfish"').value).toBe(
      'At path: password -- Expected a number, but received: "[password:1]"',
    );
    expect(redact("The value 'swordfish' is not valid for Password.").value).toBe(
      "The value '[password:1]' is not valid for Password.",
    );
  });

  it.each([
    { errors: { Password: [`The value '${P}' is not valid.`] } },
    { errors: { password: { message: `Invalid value: "${P}"` } } },
    { reason: 'FieldValueInvalid', field: 'spec.password', message: `Invalid value: "${P}"` },
    { path: ['db', 'password'], message: `must be a number (was "${P}")` },
    { field: 'data[password]', detail: `'${P}' is too short` },
  ])('beneath a telling name: %j', (value) => {
    expect(JSON.stringify(redact(value).value)).not.toContain(P);
    expect(JSON.stringify(redact(JSON.stringify(value)).value)).not.toContain(P);
  });
});

describe('stays', () => {
  it.each([
    'password must be at least 12 characters',
    'password must be a string, received "number"',
    "password: expected string, got 'undefined'",
    'The "password" argument must be of type string. Received an instance of Object',
    "Expected token ';' but got 'foo'",
    'Expected token "}" but got "EOF"',
    'Unexpected token, got "identifier"',
    '"username" must be at least 3 characters; "password" must be at least 12 characters',
    "Invalid value 'latest' for parameter 'sort'. Check your API key",
    "error: unknown option '--colour'. Did you mean '--password'?",
    'Secret "db-creds" not found in namespace "prod-eu1"',
    'Cast to Number failed for value "abc" (type string) at path "age"',
    "The value 'abc1' is not valid for Age.",
    "{ value: 'abc', password: '[password:1]' }",
    "{ password: '[password:1]', value: 'abc' }",
    'password: minimum length is 20 (was 12)',
    'Expected type Int for password, received type String',
    'Token type "Bearer" expected, got "Basic"',
    'Field "firstName2" must match "secondName2"; password is optional',
    "createHmac('sha256', secret).update(text).digest('base64url')",
    "const password = bytes(12).toString('win1252latin');",
    'API key "read-only" was given the role "viewer"',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });

  it('a limit beneath a telling name', () => {
    const value = { password: ['must be at least 12 characters', 'Expected string, received number'] };
    expect(redact(value).value).toEqual(value);
  });
});
