// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import { expect, test } from 'vitest';
import { isNeeded, rewriteReferences } from './references.ts';

const context = { bare: false, root: undefined, home: '/home/ann', isPassedOn: true };

test.each([
  ['${env:TOKEN}', '${TOKEN}', { TOKEN: '${env:TOKEN}' }],
  ['Bearer ${env:TOKEN}', 'Bearer ${TOKEN}', { TOKEN: '${env:TOKEN}' }],
  ['${input:api-key}', '${API_KEY}', { API_KEY: '${input:api-key}' }],
  ['${input:2fa}', '${_2FA}', { _2FA: '${input:2fa}' }],
  ['${NAME}', '${NAME}', { NAME: '${NAME}' }],
  ['${NAME:-https://x}/mcp', '${NAME:-https://x}/mcp', { NAME: '${NAME:-https://x}' }],
  ['${{ secrets.KEY }}', '${KEY}', { KEY: '${{ secrets.KEY }}' }],
  ['$NAME', '${NAME}', { NAME: '${NAME}' }],
  ['%NAME%', '${NAME}', { NAME: '${NAME}' }],
  ['Bearer $NAME', 'Bearer ${NAME}', { NAME: '${NAME}' }],
  ['pa$WORD', 'pa$WORD', {}],
  ['100%', '100%', {}],
  ['${userHome}/x', '/home/ann/x', {}],
  ['${workspaceFolder}/x', '${workspaceFolder}/x', { workspaceFolder: '${workspaceFolder}' }],
  ['${command:pick}', '${COMMAND_PICK}', { COMMAND_PICK: '${command:pick}' }],
  ['${config:shop.url}/x', '${CONFIG_SHOP_URL}/x', { CONFIG_SHOP_URL: '${config:shop.url}' }],
  ['${workspaceFolder:api}/x', '${WORKSPACEFOLDER_API}/x', { WORKSPACEFOLDER_API: '${workspaceFolder:api}' }],
  ['${NAME:?no}', '${NAME:?no}', {}],
  ['Bearer {env:TOKEN}', 'Bearer ${TOKEN}', { TOKEN: '{env:TOKEN}' }],
  ['{file:~/.secrets/key.txt}', '${FILE_KEY_TXT}', { FILE_KEY_TXT: '{file:~/.secrets/key.txt}' }],
  ['a${pathSeparator}b', 'a/b', {}],
  ['/opt/bin:${PATH}', '/opt/bin:${CLIENT_PATH}', { CLIENT_PATH: '${PATH}' }],
  ['${HOME:-/srv}/x', '${CLIENT_HOME:-/srv}/x', { CLIENT_HOME: '${HOME:-/srv}' }],
  ['${env:https_proxy}', '${CLIENT_https_proxy}', { CLIENT_https_proxy: '${env:https_proxy}' }],
  ['${input:path}', '${CLIENT_PATH}', { CLIENT_PATH: '${input:path}' }],
  ['${input:node-options}', '${CLIENT_NODE_OPTIONS}', { CLIENT_NODE_OPTIONS: '${input:node-options}' }],
  ['${input:é}', '${CLIENT__}', { CLIENT__: '${input:é}' }],
  ['%TEMP%', '${CLIENT_TEMP}', { CLIENT_TEMP: '${TEMP}' }],
])('%s → %s', (text, expected, needed) => {
  const variables = new Map<string, string>();
  expect(rewriteReferences(text, true, context, variables)).toBe(expected);
  expect(Object.fromEntries(variables)).toEqual(needed);
});

test('what the server is given itself is not needed of anybody', () => {
  const variables = new Map<string, string>();
  const seen = { ...context, own: new Map([['MINE', 'x']]) };
  expect(rewriteReferences('a:${MINE} ${THEIRS} ${MINE:-x}', false, seen, variables)).toBe(
    'a:${MINE} ${THEIRS} ${MINE:-x}',
  );
  expect(Object.fromEntries(variables)).toEqual({ THEIRS: '${THEIRS}' });
});

test.each([
  ['${env:KEY}', 'own words', '${KEY_2}'],
  ['${input:key}', 'own words', '${KEY_2}'],
  ['${input:key}', '${input:key}', '${KEY}'],
  ['${env:KEY}', '${input:key}', '${KEY_2}'],
])('%s beside a KEY of the server that is %s: %s', (text, given, expected) => {
  const variables = new Map<string, string>();
  const seen = { ...context, own: new Map([['KEY', given]]) };
  expect(rewriteReferences(text, false, seen, variables)).toBe(expected);
  expect([...variables.values()]).toEqual([text]);
});

test('a project knows its own folder', () => {
  const seen = { ...context, root: '/home/ann/shop' };
  expect(rewriteReferences('${workspaceFolder}/${workspaceFolderBasename}', false, seen, new Map())).toBe(
    '/home/ann/shop/shop',
  );
});

test('a bare name in an argument is what a shell makes of it', () => {
  expect(rewriteReferences('$NAME', false, context, new Map())).toBe('$NAME');
  expect(rewriteReferences('a $NAME %b%', false, { ...context, bare: true }, new Map())).toBe(
    'a ${NAME} ${b}',
  );
});

test('one name never stands for two things', () => {
  const variables = new Map<string, string>();
  expect(rewriteReferences('${env:API_KEY}', true, context, variables)).toBe('${API_KEY}');
  expect(rewriteReferences('${input:api-key}', true, context, variables)).toBe('${API_KEY_2}');
  expect(rewriteReferences('${env:API_KEY}', true, context, variables)).toBe('${API_KEY}');
});

test.each([
  ['${input:token}', '${TOKEN}', '${TOKEN_2}'],
  ['${input:path}', '${PATH}', '${CLIENT_PATH_2}'],
  ['${env:TOKEN}', '${TOKEN}', '${TOKEN}'],
  ['${env:PATH}', '${PATH}', '${CLIENT_PATH}'],
])('after %s, %s is %s', (first, second, expected) => {
  const variables = new Map<string, string>();
  rewriteReferences(first, true, context, variables);
  expect(rewriteReferences(second, true, context, variables)).toBe(expected);
});

test('where nobody passes anything on, the environment is read as it is, and an input is no part of it', () => {
  const here = { ...context, isPassedOn: false };
  expect(rewriteReferences('${PATH}:${env:HOME}:${input:path}', false, here, new Map())).toBe(
    '${PATH}:${HOME}:${CLIENT_PATH}',
  );
});

test.each([
  ['${env:TOKEN}', true],
  ['${TOKEN}', true],
  ['{env:TOKEN}', true],
  ['${{ secrets.TOKEN }}', true],
  ['${TOKEN:-none}', false],
  ['${input:token}', false],
  ['${config:a.b}', false],
  ['{file:~/key}', false],
])('%s has to be in the environment: %s', (original, expected) => {
  expect(isNeeded(original)).toBe(expected);
});
