/** Keys of vendors that line breaks go through, at every place, and lines under each other that make no key. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const LETTERS = 'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7Ue4WiLp6Mx9QzVb3Cn8Fk5';
const HEX = '3f9a2c1b7d604e58a1c9b2d7f0e36485d41f98b7c6a25e03f9a2c1b7d604e58';
const CAPITALS = 'Q7ZT3LW2XK5VB6NM4PCR';

/** What tells a format, and the part of it that nobody may see. */
const FORMATS: readonly (readonly [name: string, before: string, secret: string])[] = [
  ['SendGrid', 'SG.', `${LETTERS.slice(0, 22)}.${LETTERS.slice(5, 48)}`],
  ['AWS', 'AKIA', CAPITALS.slice(0, 16)],
  ['AWS, for a while', 'ASIA', CAPITALS.slice(2, 18)],
  ['GitLab', 'glpat-', LETTERS.slice(0, 20)],
  ['Twilio', 'SK', HEX.slice(0, 32)],
  ['Airtable', `pat${LETTERS.slice(0, 14)}.`, HEX.slice(0, 64)],
  ['Terraform', `${LETTERS.slice(44, 58)}.atlasv1.`, LETTERS.slice(0, 42)],
  ['Telegram', '7304918256:AA', LETTERS.slice(3, 36)],
  ['Doppler', 'dp.pt.', LETTERS.slice(0, 43)],
  ['New Relic', 'NRAK-', `${CAPITALS}${CAPITALS.slice(3, 10)}`],
  ['Vault', 'hvs.', LETTERS.slice(0, 58)],
  ['Google', 'AIza', LETTERS.slice(0, 35)],
  ['npm', 'npm_', LETTERS.slice(0, 36)],
  ['GitHub', 'ghp_', LETTERS.slice(0, 36)],
  ['GitHub, fine-grained', 'github_pat_', `${LETTERS.slice(0, 22)}_${LETTERS.slice(1, 55)}`],
  ['Stripe', 'rk_live_', LETTERS.slice(0, 24)],
  ['Perplexity', 'pplx-', LETTERS.slice(0, 48)],
  ['DigitalOcean', 'dop_v1_', HEX.slice(0, 63)],
];
/** A break, an indent, a blank before it as mail has one that was cut by its width, the margin of a quote. */
const GAPS = ['\n', '\r\n', '\n    ', ' \n', ' \r\n', '\\n', '\n> '];
/** So many letters in a row are too many. */
const TOO_MANY = 8;

const windows = (secret: string): string[] =>
  Array.from({ length: secret.length - TOO_MANY + 1 }, (_, from) => secret.slice(from, from + TOO_MANY));

/** A country and a hash under it look the same. */
const MAY_BE_ELSE = ['SK⏎3f9a2c1b7d604e58a1c9b2d7f0e36485'];

/** Where a secret may be cut so that some of it is left. */
function left(before: string, secret: string, gap: string): string[] {
  const whole = before + secret;
  const cuts = Array.from({ length: secret.length + 1 }, (_, index) => before.length - 1 + index);
  return cuts
    .filter((at) => {
      const { value } = redact(`Request refused for ${whole.slice(0, at)}${gap}${whole.slice(at)} today`);
      const flat = value.replaceAll(gap, '');
      return windows(secret).some((part) => flat.includes(part));
    })
    .map((at) => `${whole.slice(0, at)}⏎${whole.slice(at)}`)
    .filter((cut) => !MAY_BE_ELSE.includes(cut));
}

describe.each(FORMATS)('a key of %s', (_, before, secret) => {
  it.each(GAPS)('goes wherever %j cuts it', (gap) => {
    expect(left(before, secret, gap)).toEqual([]);
  });

  it.each([20, 24, 30, 40, 60, 76])('goes out of a text that is cut every %d letters', (width) => {
    const text = `Error could not use ${before}${secret} for the request of order 7`;
    const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    const flat = redact(lines.join('\n')).value.replaceAll('\n', '');
    expect(windows(secret).filter((part) => flat.includes(part))).toEqual([]);
  });
});

it('what follows the last line of a key stays', () => {
  expect(
    redact(
      'Refused: AKIAQ7ZT3L\nW2XK5VB6NM\nRetry later.\nSG.q7Lm2Xv9Rt4Kp8Zw3Ns6Hd\n.1Bf5Gj0Yc2Ta7Ue4WiLp6Mx9QzVb3Cn8Fk5q7Lm2Xv\nDone',
    ),
  ).toMatchObject({ value: 'Refused: [api-key:1]\nRetry later.\n[api-key:2]\nDone' });
});

it.each([
  // Words and short codes that a format starts with, and an identifier in the next line.
  'He lives in SK\n16c7e42f292c6912e7710c838347ae17',
  'He lives in SK\n16c7e42f292c6912e7710c838347ae178b4a0000',
  'Flight SK1234\n5d41402abc4b2a76b9719d911017c592',
  'Flights:\nSK903\nSK1462\nSK2601',
  'ISO codes:\nSK\nAC\nSG\nAE',
  'The room has AC\n5d41402abc4b2a76b9719d911017c592 ok',
  'ACE\n5d41402abc4b2a76b9719d911017c592',
  'part ACDC\n16c7e42f292c6912e7710c838347ae178b4a0000 is out',
  'ask the cio\n16c7e42f292c6912e7710c838347ae178b4a0000',
  'dose\n507f1f77bcf86cd799439011',
  'each dose\n507f1f77bcf86cd799439011 was given',
  'Released v1.\n16c7e42f292c6912e7710c838347ae178b4a0000',
  'listed in ASIA\nUS02079K3059 is listed',
  'ASIA\nEUROPE\nAFRICA\nOCEANIA',
  'ASIA\nPACIFICNORTHWEST',
  'Ticker GOOG\nCLASSACAPITALSTOCK0001',
  'ACCA\nMEMBERSHIP12345',
  'commit 4b1d\n16c7e42f292c6912e7710c838347ae178b4a0000',
  // What tells a key, in a sentence about keys.
  'Tokens start with glpat-\nconfiguration of the project is in settings',
  'A token starts with ghp_\nand has forty letters',
  'Keys of npm start with npm_\nregistry-configuration-file-for-ci',
  'the prefix is sk-\nlearn-contrib-and-other-packages',
  'use hvs.\nRead the documentation of Vault',
  'It starts with AKIA\nand then come sixteen letters',
  'Set dp.pt.\nThen run it again',
  'glpat-xxxxxxxx\nxxxxxxxxxxxx',
  'ghp_\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  // Lists and tables.
  'commits:\n16c7e42f292c6912e7710c838347ae178b4a0000\na94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
  'a94a8fe\n16c7e42\n4b1d9c0\n8b4a000',
  'orders\nord_7f3a9b2c1d\nord_8a4b0c3d2e',
  '507f1f77bcf86cd799439011\n507f191e810c19729de860ea\n507f1f77bcf86cd799439012',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301\n6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV\n01BX5ZZKBKACTAV9WEVGEMMVRZ',
  '| id | name |\n| SK-7 | a94a8fe5ccb19ba61c4c |\n| SK-8 | 16c7e42f292c6912e771 |',
  'npm_config_registry\nnpm_config_cache\nnpm_package_version',
  'hf_hub_download\nhf_transfer_enabled_2026',
  'us-east-1a\nus-west-2b\neu-central-1c',
  'i-0abcd1234efgh5678\ni-0bcde2345fghi6789',
  'vpc-0a1b2c3d4e5f\nsubnet-0a1b2c3d4e5f6a7b8',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\nsha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  // A certificate, code, logs.
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2x1c3RlciBDQSBmb3IgdGVzdHMwCgYIKoZIzj0EAwIw\nHjEcMBoGA1UEAwwTQ2x1c3RlciBDQSBmb3IgdGVzdDAeFw0yNjExMTgwMDAwMDBa\nFw0yNzExMTgwMDAwMDBaMB4xHDAaBgNVBAMME0NsdXN0ZXIgQ0EgZm9yIHRlc3Qw\n-----END CERTIFICATE-----',
  'import { pat } from "./pat.js";\nconst st = pat.match(sk);\nreturn sk-1',
  'const SK =\n  sortKey(item2);\nconst PK =\n  partitionKey(item2);',
  'if (ac)\n  deadbeef0123456789abcdef01234567();',
  'PK\nSK\nGSI1PK\nGSI1SK',
  'level=info msg=ok re=\nlevel=warn msg=slow2 re=4',
  'waiting for t1.\n2026-11-18T10:00:00Z worker-7 started',
  'see pat.\nworker-7f3a9b2c1d-x9k2l started',
  'build api-\n3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed',
  'GET /v1/\nGET /v2/items/7f3a9b2c1d4e',
  'row 1000.\n5d41402abc4b2a76b9719d911017c592',
  'version 0.\n3f9a2c1b-7d60',
  'sum 12345678:\nAAPL 17.5',
])('stays: %j', (text) => {
  expect(redact(text)).toEqual({ value: text, findings: [] });
});
