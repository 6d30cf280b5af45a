import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { createHiding, hiderOfSecrets } from './hiding.ts';

const SECRET = 'plain/words+of ann';

it.each([
  ['as it is', 'plain/words+of ann'],
  ['as PHP writes JSON', 'plain\\/words+of ann'],
  ['in escapes', '\\u0070lain\\u002Fwords\\u002bof\\u0020ann'],
  ['in JSON inside of JSON', 'plain\\\\/words\\\\u002bof ann'],
  ['in an address', 'plain%2Fwords%2Bof%20ann'],
  ['in an address, in lower case', 'plain%2fwords%2bof%20ann'],
  ['in a form', 'plain%2Fwords%2Bof+ann'],
  ['in base64', 'cGxhaW4vd29yZHMrb2YgYW5u'],
  ['in entities', '&#x70;lain&#47;words&#X2B;of&#32;ann'],
  ['in entities by their names', 'plain&sol;words&plus;of ann'],
  ['in entities, as Go writes JSON', 'plain\\u0026#47;words\\u0026plus;of ann'],
  ['in bytes', '\\x70lain\\x2Fwords\\x2bof ann'],
  ['for a shell', 'plain/words+of\\ ann'],
  ['in bytes inside of JSON', '\\\\x70lain\\\\x2Fwords\\\\x2bof ann'],
  ['in letters of double width', 'ｐｌａｉｎ／ｗｏｒｄｓ＋ｏｆ　ａｎｎ'],
  ['in hexadecimal', '706c61696e2f776f7264732b6f6620616e6e'],
  ['in hexadecimal, in upper case', '706C61696E2F776F7264732B6F6620616E6E'],
])('hides it %s', (_how, form) => {
  const hide = hiderOfSecrets([SECRET]);
  expect(hide?.(`bad ${form}, and ${form}.`)).toBe('bad [hidden], and [hidden].');
});

it.each([
  ['in two colours', '\x1b[31mzq81Kx\x1b[0m77mmPlwe', '\x1b[31m[hidden]'],
  ['in colours that were made printable', ' [1;31mzq81Kx [0m77mmPlwe', ' [1;31m[hidden]'],
  ['in two lines', 'zq81Kx7\n  7mmPlwe', '[hidden]'],
  ['in two lines of Windows', 'zq81Kx7\r\n7mmPlwe', '[hidden]'],
  ['in two lines of JSON', 'zq81Kx7\\n7mmPlwe', '[hidden]'],
  ['in colours of JSON', 'zq81Kx\\u001b[0m77mmPlwe', '[hidden]'],
  ['around what has no width', 'zq81\u200bKx77\xadmmPlwe', '[hidden]'],
])('hides it %s', (_how, said, left) => {
  const hide = hiderOfSecrets(['zq81Kx77mmPlwe']);
  expect(hide?.(`bad key ${said}\nand [0m more`)).toBe(`bad key ${left}\nand [0m more`);
});

const KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz+EXAMPLE=';

it.each([
  ['as it is', KEY],
  ['in an address, but for its slashes', encodeURIComponent(KEY).replaceAll('%2F', '/')],
  ['in an address, every letter', [...Buffer.from(KEY)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['as PHP writes JSON', KEY.replaceAll('/', '\\/')],
  ['in entities', KEY.replace(/[+/=]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`)],
  ['in escapes', KEY.replaceAll('/', '\\u002F')],
  ['in two lines', `${KEY.slice(0, 20)}\n${KEY.slice(20)}`],
  ['around what has no width', `${KEY.slice(0, 6)}\u200b${KEY.slice(6)}`],
])('hides it %s at the end of a text', (_how, form) => {
  const hide = hiderOfSecrets([KEY]);
  expect(hide?.(`bad ${form}`)).toBe('bad [hidden]');
  expect(hide?.(`bad ${form}\n`)).toBe('bad [hidden]\n');
  expect(hide?.(form)).toBe('[hidden]');
});

it.each(
  [0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200d, 0x202a, 0x202c, 0x2060, 0x2061, 0x2064, 0x2066, 0x2069, 0x3164]
    .concat([0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0020, 0xe0100])
    .map((code) => [code.toString(16), String.fromCodePoint(code)]),
)('hides it around U+%s, which nobody sees', (_code, unseen) => {
  const hide = hiderOfSecrets(['zq81Kx77mmPlwe']);
  const escaped = unseen.replace(
    /[^\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const between of [unseen, unseen.repeat(3), escaped])
    expect(hide?.(`bad zq81Kx${between}77mm${between}Plwe.`)).toBe('bad [hidden].');
});

const spellings: readonly ((letter: string, code: string) => string)[] = [
  (letter) => letter,
  (_letter, code) => `%${code}`,
  (_letter, code) => `\\u00${code}`,
  (_letter, code) => `\\\\x${code}`,
  (_letter, code) => `&#x${code};`,
  (letter) => `\u200d${letter}`,
];
const spelt = fc
  .array(fc.tuple(fc.constantFrom(...'abcXYZ0189+/=_-'), fc.constantFrom(...spellings)), { minLength: 8 })
  .map((letters) => ({
    secret: letters.map(([letter]) => letter).join(''),
    written: letters.map(([letter, how]) => how(letter, letter.charCodeAt(0).toString(16))).join(''),
  }));
const around = fc.constantFrom('', 'bad key ', '(', ' for it', '.', '\n');

it('hides it wherever it stands, each letter in a spelling of its own', () => {
  fc.assert(
    fc.property(spelt, around, around, ({ secret, written }, before, behind) => {
      const left = hiderOfSecrets([secret, 'another-one-that-is-longer'])?.(before + written + behind) ?? '';
      expect(left.replace('\u200d', '')).toBe(`${before}[hidden]${behind}`);
    }),
  );
});

const odd = 'Tr\u00f6&ub4d"or\\e7';
const latin = (text: string): string => Buffer.from(text).toString('latin1');

it.each([
  ['in HTML', 'Tr\u00f6&amp;ub4d&quot;or\\e7'],
  ['in JSON inside of JSON', JSON.stringify(JSON.stringify(odd)).slice(3, -3)],
  ['in JSON inside of JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify(odd))).slice(7, -7)],
  ['as Python shows a text', 'Tr\u00f6&ub4d"or\\\\e7'],
  ['as Python shows bytes', 'Tr\\xc3\\xb6&ub4d"or\\\\e7'],
  ['for a shell', 'Tr\u00f6\\&ub4d\\"or\\\\e7'],
  ['in bytes that were read as letters', latin(odd)],
  ['in an address, as far as it has to be', 'Tr%C3%B6&ub4d%22or%5ce7'],
  ['in signs that stand beside their letters', odd.normalize('NFD')],
  ['in letters of two bytes each', Buffer.from(odd, 'utf16le').toString('latin1').slice(0, -1)],
])('hides one with every kind of sign in it %s', (_how, said) => {
  expect(hiderOfSecrets([odd])?.(`&lt;bad ${said} \\"C:\\n&gt;`)).toBe('&lt;bad [hidden] \\"C:\\n&gt;');
});

it('leaves as many letters where others are put in its place', () => {
  const hide = hiderOfSecrets([SECRET]);
  const asterisks = (secret: string): string => secret.replace(/./g, '*');
  expect(hide?.(`bad plain\\/words\\u002bof ann.`, asterisks)).toBe(`bad ${'*'.repeat(24)}.`);
});

it('takes time in proportion, whatever splits the words', () => {
  const hide = hiderOfSecrets(['zq81Kx77mmPlwe']);
  const words = '\x1b[0;\n [\\n\u200b;;;'.repeat(50_000);
  const before = threadClock();
  expect(hide?.(words)).toBe(words);
  expect(threadClock() - before).toBeLessThan(2000);
});

it.each(['\\', '\\"', '\\u', '%', '%2', '\\%', '&', '&#', '&amp', '\\u0026', '&#x70;'])(
  'takes time in proportion for a row of %s',
  (part) => {
    const hide = hiderOfSecrets(['zq81Kx77mmPlwe']);
    const words = part.repeat(400_000 / part.length);
    const before = threadClock();
    expect(hide?.(words)).toBe(words);
    expect(threadClock() - before).toBeLessThan(2000);
  },
);

it.each([
  ['Bearer plain/words+of ann', 'QmVhcmVyIHBsYWluL3dvcmRzK29mIGFubg=='],
  ['me:plain/words+of ann', 'bWU6cGxhaW4vd29yZHMrb2YgYW5u'],
  ['me2:plain/words+of ann', 'bWUyOnBsYWluL3dvcmRzK29mIGFubg=='],
])('hides it behind other words in base64: %s', (words, encoded) => {
  const left = hiderOfSecrets([SECRET])?.(encoded) ?? '';
  expect(btoa(words)).toBe(encoded);
  expect(left).toContain('[hidden]');
  expect(left.replace('[hidden]', '').replaceAll('=', '').length).toBeLessThanOrEqual(13);
});

it('leaves words as they came that have none of it', () => {
  const words = 'C:\\\\users\\u0041 100%25 plain\\/words &amp; &#0; &#x110000; &such; \\x41 ＡＢ';
  expect(hiderOfSecrets([SECRET])?.(words)).toBe(words);
});

it('leaves JSON what it is', () => {
  const hide = hiderOfSecrets(['say "plain" words']);
  const left = hide?.('{"a":"\\u0022 say \\u0022plain\\u0022 words\\u000a","b":"\\\\u0022"}') ?? '';
  expect(JSON.parse(left)['a']).toBe('" [hidden]\n');
});

it('hides all of those that overlap, and each of those that follow each other', () => {
  const hide = hiderOfSecrets(['abcdef', 'defghijkl', 'abcdefgh']);
  expect(hide?.('1 abcdefghijkl 2 abcdefabcdef 3')).toBe('1 [hidden] 2 [hidden][hidden] 3');
});

it('hides nothing that is too short to be told from words', () => {
  expect(hiderOfSecrets(['short'])).toBeUndefined();
});

it('hides what becomes known later, of very many those that were known last', () => {
  const { add, hide } = createHiding({ most: 4 });
  for (const at of [1, 2, 3, 4, 1, 5]) add(`secret-number-${at}`);
  expect([1, 4, 5].map((at) => hide(`secret-number-${at}`))).toEqual(['[hidden]', '[hidden]', '[hidden]']);
  for (let at = 6; at < 100; at++) add(`secret-number-${at}`);
  expect(hide('secret-number-1 secret-number-99')).toBe('secret-number-1 [hidden]');
});

it.each([
  ['JSESSIONID=Zq81kd0PXw77; theme=dark', 'Zq81kd0PXw77'],
  ['Basic YWRtaW46SHVudGVyMjIy', 'Hunter222'],
  ['basic YWRtaW46c2VzYW1lIG9wZW4=', 'sesame open'],
  ['Token token="Plm99oknIjb", id=5', 'Plm99oknIjb'],
  ['ApiKey id:Xsw2zaq1', 'Xsw2zaq1'],
  ['Custom correct horse', 'correct horse'],
  ['postgres://svc:Hunt3r7x@db.int/prod', 'Hunt3r7x'],
  ['postgres://svc:p%40ss%2Fword@db.int/prod', 'p@ss/word'],
  ['redis://:opensesame@cache:6379', 'opensesame'],
  ['https://9f8e7d6c5b4a@sentry.example/1', '9f8e7d6c5b4a'],
  ['https://api.example/v1?sig=Kk3kd93kdkd0', 'Kk3kd93kdkd0'],
  ['{"private_key":"Kk3kd93kdkd0","type":"service"}', 'Kk3kd93kdkd0'],
  ['aaa11bbb22,ccc33ddd44', 'ccc33ddd44'],
])('hides what %s is made of', (value, part) => {
  expect(hiderOfSecrets([value])?.(`refused: ${part}.`)).toBe('refused: [hidden].');
});

it.each([
  ['JSESSIONID=Zq81kd0PXw77; theme=dark', 'JSESSIONID has no theme dark'],
  ['postgres://svc:Hunt3r7x@db1.internal/prod2024', 'svc cannot reach db1.internal/prod2024'],
  ['{"private_key":"Kk3kd93kdkd0","type":"service"}', 'the private_key of a service'],
  ['Basic YWRtaW46SHVudGVyMjIy', 'admin is no Basic user'],
])('leaves the words of %s', (value, words) => {
  expect(hiderOfSecrets([value])?.(words)).toBe(words);
});

it.each(['p%40ss%2fw%c3%b6rd%2b1+x', 'p%40ss%2fw%c3%b6rd%2b1%20x', 'p%40ss%2Fw%C3%B6rd%2B1+x'])(
  'hides it in an address of any spelling: %s',
  (form) => {
    expect(hiderOfSecrets(['p@ss/w\u00f6rd+1 x'])?.(`bad ${form}.`)).toBe('bad [hidden].');
  },
);

it.each(['qwe7788asdzx', 'QWE7788ASDZX', 'Qwe7788asdZx', 'qWE7788asdZX'])(
  'hides %s in whatever capitals',
  (said) => {
    expect(hiderOfSecrets(['Qwe7788asdZx'])?.(`İ: ${said} is refused`)).toBe('İ: [hidden] is refused');
  },
);

it.each([
  ['correct horse battery staple', 'CORRECT HORSE BATTERY STAPLE'],
  ['Correct Horse Battery', 'correct horse battery'],
  ['Geheim-Öl-99x77', 'geheim-öl-99x77'],
  ['geheim-öl-99x77', 'GEHEIM-ÖL-99X77'],
])('hides %s in other capitals, too: %s', (secret, said) => {
  expect(hiderOfSecrets([secret])?.(`İÖ: ${said} is refused`)).toBe('İÖ: [hidden] is refused');
});

it.each([
  ['CorrectHorse', 'correcthorse'],
  ['12345678901', '12345678902'],
  ['Ab12cd7', 'ab12cd7'],
])('leaves other words than %s alone', (secret, said) => {
  expect(hiderOfSecrets([secret])?.(`bad ${said}`)).toBe(`bad ${said}`);
});

it('takes time by the length of the words, however the capitals stand', () => {
  const hide = hiderOfSecrets(Array.from({ length: 200 }, (_, at) => `Qwe7788asdZx${at}`));
  const took = (length: number): number => {
    const words = 'qWE7788asdZ '.repeat(length / 12);
    const began = threadClock();
    hide?.(words);
    return threadClock() - began;
  };
  took(100_000);
  expect(took(4_000_000)).toBeLessThan(150 * Math.max(5, took(200_000)));
});

it('finds them in very long words too, and without holding everybody up', () => {
  const secret = 'APISECRET99xyz';
  const hide = hiderOfSecrets([secret]) as (words: string) => string;
  const filler = 'the quick brown fox jumps\n'.repeat(400_000);
  const since = threadClock();
  const hidden = hide(`${secret} ${filler}${secret}${filler}${Buffer.from(secret).toString('base64')}`);
  const took = threadClock() - since;
  expect(hidden).not.toContain(secret);
  expect(hidden).not.toContain(Buffer.from(secret).toString('base64').slice(0, 18));
  expect(hidden.match(/\[hidden\]/g)).toHaveLength(3);
  expect(took).toBeLessThan(3000);
});
