/** What stands under `key` and names that end with it: by what the value looks like and whose it is, in every way it is said. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const AZURE = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const AZURE_SHORT = 'q3Zt8Lw+Xc5vB1nM/0pRsD7fGhJ2kLyT4uIoPaWeQxE=';
const AWS = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqT9sLk4Hn';
const AWS_PLUS = 'h7+Qe2RtYu8iOpAsDfGhJkLzXcVbNm1234/QwErT';
const HEX_32 = 'b7e23ec29af22b0b4e41da31e868d572';
const HEX_40 = '0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33';
const HEX_64 = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const WORD_24 = 'Wq8vT2rYp0ZsLk4HnD6bXe1M';
const WORD_32 = 'Zp4Kd91mXq7Lw2Vt6Rb8Ny3Hc5Gf0JsA';
const WORD_40 = 'Wq8vT2rYp0ZsLk4HnD6bXe1MaQ3sWd5fRg7hTj9K';
const WORD_48 = 'b7Tq9XzL2mK4vR8wYp1Nc6Hd3Jf5Gs0QaWe7UiOx2ZtB4nMk';
const WORD_20 = 'k3Jd82mPq7Lw1Vt6Rb9N';
const UUID = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';

const ULID = '01HZX3K9T2QW8R7Y5M4N6P0ABC';
const MONGO = '507f1f77bcf86cd799439011';
const FIGMA = 'hT7kL2mN9pQ4rS6vW8xY0z';
const NANO = 'V1StGXR8_Z5jdHi6B-myT';
const CUID = 'clh3am9mv0000qwer1234abcd';

const BASE64 = [AZURE, AZURE_SHORT, AWS, AWS_PLUS];
const HEX = [HEX_32, HEX_40, HEX_64];
const LONG_WORDS = [WORD_40, WORD_48];
const WORDS = [WORD_24, WORD_32, ...LONG_WORDS];
const IDS = [ULID, MONGO, CUID];
const SHORT_IDS = [FIGMA, NANO];

const STRUCTURED = [
  'user:1001:profile',
  'cache:v2:orders:2026-11-18',
  'cart:web:99213',
  'my-app:lock:invoice-991',
  'invoices/2026/11/inv-991.pdf',
  'uploads/2026/IMG_20261118_101500.jpg',
  'backups/db-2026-11-18T10-15-00Z.sql.gz',
  'media/9f86d081884c7d65/thumb.jpg',
  'logs/2026/11/18/app-7f9c8b6d5-xk2lp.log.gz',
  'uploads/7c9e6679-7425-40de-944b-e07fc1f90ae7/photo.jpg',
  'data/part-00017-7c9e6679.snappy.parquet',
  'landing/year=2026/month=11/part-0001.parquet',
  'avatars/AbC123dEf456GhI789jKl0.png',
  'src/components/Button.tsx',
  'backup-20261118-021500-full.tar.zst',
  'PROJ-123',
  'sales_2026_q3',
  'sales_2026_q3_emea_v2',
  'user_991_prefs_v2',
  'spark_job_20261118_0042',
  'spring-sale-2026',
  'checkout.payment.error_declined',
  'editor.formatOnSave',
  'config.prod.v2',
  'Ctrl+Shift+P',
  'Meta+Shift+K',
  'ArrowDown',
  'orders',
  'customer_email',
  'ORDER#2026-11-18T10:15:00Z',
  'no value was set for it',
];

const SETTINGS = [
  'AZURE_STORAGE_KEY',
  'AZURE_SEARCH_KEY',
  'MEILI_SEARCH_KEY',
  'COSMOS_PRIMARY_KEY',
  'REDIS_PRIMARY_KEY',
  'FUNCTIONS_HOST_KEY',
  'PAGERDUTY_ROUTING_KEY',
  'S3_KEY',
  'AWS_KEY',
  'SERVICEBUS_KEY',
  'AZURE_OPENAI_KEY',
  'ACME_USER_KEY',
];
const VENDORS = [
  'azure_storage_key',
  'azureStorageKey',
  'cosmos_key',
  'eventhub_key',
  'aws_key',
  'minio_key',
  'speech_key',
  'heroku_key',
  'postmark_key',
  'algolia_search_key',
  'pushover_user_key',
];
/** Both ids and credentials are usual there. */
const EITHER = [
  'key',
  'Key',
  'storage_key',
  'storageKey',
  'search_key',
  'redis_key',
  'user_key',
  'team_key',
  'org_key',
  'primary_key',
  'primaryKey',
  'secondary_key',
  'routing_key',
  'host_key',
];
/** Nothing but ids is. */
const THINGS = [
  'fileKey',
  'file_key',
  'cache_key',
  'object_key',
  's3_key',
  'partition_key',
  'sort_key',
  'message_key',
  'i18n_key',
  'issue_key',
  'project_key',
  'idempotency_key',
  'dataset_key',
  'external_key',
];
/** Of whom nobody knows. */
const UNKNOWN = ['weather_key', 'acme_key', 'maps_key'];

/** Each way to say a name and a value; none of these is an address. */
const WAYS: { readonly [way: string]: (name: string, value: string) => unknown } = {
  member: (name, value) => ({ error: 'refused', config: { [name]: value } }),
  'in a list': (name, value) => [{ [name]: value }],
  'JSON as text': (name, value) => JSON.stringify({ error: 'refused', config: { [name]: value } }),
  'NAME=value': (name, value) => `Could not start: ${name}=${value}`,
  'Invalid NAME: value': (name, value) => `Invalid ${name}: ${value}`,
  'in quotes': (name, value) => `The ${name} "${value}" was refused`,
  YAML: (name, value) => `config:\n  ${name}: ${value}\n`,
};

const said = (value: unknown): string => JSON.stringify(redact(value).value);
const quoted = (value: string): string => JSON.stringify(value).slice(1, -1);

/** The ways in which what must go is still there, or what must stay is not. */
function wrong(names: readonly string[], values: readonly string[], mustGo: boolean): readonly string[] {
  return names.flatMap((name) =>
    values.flatMap((value) =>
      Object.entries(WAYS).flatMap(([way, say]) =>
        said(say(name, value)).includes(quoted(value)) === mustGo ? [`${way} ${name} ${value}`] : [],
      ),
    ),
  );
}

describe('goes', () => {
  it.each([...SETTINGS, ...VENDORS])('%s: whatever looks random, a UUID too', (name) => {
    expect(wrong([name], [...BASE64, ...HEX, ...WORDS, WORD_20, UUID], true)).toEqual([]);
  });

  it.each(UNKNOWN)('%s: whatever looks random', (name) => {
    expect(wrong([name], [...BASE64, ...HEX, ...WORDS, WORD_20], true)).toEqual([]);
  });

  it.each(EITHER)('%s: what is longer or odder than ids are', (name) => {
    expect(wrong([name], [...BASE64, ...HEX, ...WORDS], true)).toEqual([]);
  });

  it.each(THINGS)('%s: what no id looks like', (name) => {
    expect(wrong([name], [...BASE64, ...LONG_WORDS], true)).toEqual([]);
  });
});

it.each(['product_key', 'key', 'object_key', 'acme_key', 'ACME_KEY'])('%s: a key in groups goes', (name) => {
  expect(wrong([name], ['MZDPL-4Y1VH-HKPS5-3UAPZ-35AZ2', '7F3K-M2QX-94TB-ZL8P'], true)).toEqual([]);
});

describe('stays', () => {
  it.each([...SETTINGS, ...VENDORS, ...UNKNOWN, ...EITHER, ...THINGS])(
    '%s: what is made of words',
    (name) => {
      expect(wrong([name], STRUCTURED, false)).toEqual([]);
    },
  );

  it.each(UNKNOWN)('%s: ids that are known by their form', (name) => {
    expect(wrong([name], [UUID, ...IDS], false)).toEqual([]);
  });

  it.each(EITHER)('%s: ids', (name) => {
    expect(wrong([name], [UUID, ...IDS, ...SHORT_IDS, WORD_20], false)).toEqual([]);
  });

  it.each(THINGS)('%s: ids and digests', (name) => {
    expect(wrong([name], [UUID, ...IDS, ...SHORT_IDS, ...HEX, WORD_20, WORD_24, WORD_32], false)).toEqual([]);
  });

  it.each(['public_key', 'publicKey', 'SSH_PUBLIC_KEY', 'keyboard'])('%s: all of it', (name) => {
    expect(wrong([name], [...HEX, WORD_32, UUID], false)).toEqual([]);
  });
});

/** How stores tell of a key that there is none of, or one too many. */
const SENTENCES: readonly ((value: string) => string)[] = [
  (value) => `Key ${value} not found`,
  (value) => `Key "${value}" not found`,
  (value) => `Key '${value}' does not exist`,
  (value) => `No such key: ${value}`,
  (value) => `The key ${value} does not exist in bucket b`,
  (value) => `Key not found: ${value}`,
  (value) => `NoSuchKey: The specified key does not exist: ${value}`,
  (value) => `No value found for key ${value}`,
  (value) => `Unknown key: ${value}`,
  (value) => `Invalid key: ${value}`,
  (value) => `Key already exists: ${value}`,
  (value) => `Object not found (bucket=b, key=${value})`,
  (value) => JSON.stringify({ error: 'NoSuchKey', key: value, bucket: 'b' }),
  (value) => JSON.stringify({ Code: 'NoSuchKey', Key: value }),
  (value) => `<Error><Code>NoSuchKey</Code><Key>${value}</Key></Error>`,
];
const PLACES = STRUCTURED.filter((value) => !/\s/.test(value));

it('a key that a sentence names stays where it is made of words or is an id', () => {
  const lost = [...PLACES, UUID, ...IDS, ...SHORT_IDS].flatMap((value) =>
    SENTENCES.map((say) => say(value)).filter((text) => redact(text).value !== text),
  );
  expect(lost).toEqual([]);
});

it('a random one goes where it stands right behind the word', () => {
  const told = SENTENCES.filter((_, at) => ![5, 6, 10].includes(at));
  const out = [HEX_32, HEX_64, WORD_32, WORD_40, AZURE, AWS].flatMap((value) =>
    told.map((say) => say(value)).filter((text) => redact(text).value.includes(value)),
  );
  expect(out).toEqual([]);
});

describe('what the reader wrote himself', () => {
  const own = (value: string) => ({ own: [value] });

  it('stays behind the word `key` and under it, random or not', () => {
    const lost = [...PLACES, UUID, ...IDS, ...SHORT_IDS, HEX_32, WORD_32].flatMap((value) =>
      SENTENCES.map((say) => say(value)).filter((text) => redact(text, own(value)).value !== text),
    );
    expect(lost).toEqual([]);
    expect(redact({ Code: 'NoSuchKey', Key: HEX_32 }, own(HEX_32)).value).toEqual({
      Code: 'NoSuchKey',
      Key: HEX_32,
    });
  });

  it('goes where a vendor would know it, or where a name says that it is a secret', () => {
    const github = 'ghp_1a2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p7q8r';
    expect(redact(`Key ${github} not found`, own(github)).value).toBe('Key [token:1] not found');
    expect(redact(`api_key: ${WORD_32}`, own(WORD_32)).value).toBe('api_key: [api-key:1]');
    expect(redact({ api_key: WORD_32 }, own(WORD_32)).value).toEqual({ api_key: '[api-key:1]' });
  });
});
