/** What callers have to give, or to give otherwise: by what cannot be read out of it, and in other languages. */
import { expect, it } from 'vitest';
import { readProse } from './index.ts';

it.each([
  'Could not extract fileId from URL',
  '"Could not extract fileId from URL"',
  'Could not extract video ID from URL: https://example.com/x',
  'Could not extract the owner/repo from URL "https://example.com/x"',
  'Unable to extract owner and repo from URL',
  'Cannot determine repository from the provided path',
  'Could not determine the file type from the name',
  "Can't get the board id from this URL",
  'Could not infer language from file name',
  'Failed to extract coordinates from argument',
  'Error: Could not extract playlist ID from the input',
  // In other languages.
  '执行失败，需要指定本地代码工程根路径',
  '请传入订单号',
  '未提供 url',
  '没有指定项目',
  'プロジェクトIDを指定する必要があります',
  'URLが指定されていません',
  '名前が必要です',
  'URL이 지정되지 않았습니다',
  '날짜를 제공해야 합니다',
  'Debe especificar un nombre',
  'No se ha proporcionado la URL',
  'O nome não foi informado',
  'Nenhum arquivo foi especificado',
  'Il faut préciser la ville',
  "Aucun fichier n'a été spécifié",
  'Der Projektpfad muss angegeben werden',
  'Es wurde kein Name angegeben',
  'Путь не указан',
  'Nessun file specificato',
  'Geen bestand opgegeven',
  'Nie podano nazwy',
  'İsim belirtilmedi',
])('is the caller’s: %s', (text) => {
  expect(readProse(text)?.kind).toBe('invalid_arguments');
});

it.each([
  ['Failed to extract video ID from URL: fetch failed', 'unavailable'],
  ['Failed to extract video ID from URL: timeout', 'timeout'],
  ['Could not extract data from response', undefined],
  ['Could not extract text from the provided PDF', undefined],
  ['Could not determine the version of the server', undefined],
  ['Failed to read file from provided path', undefined],
  ['需要授权', undefined],
  ['需要指定管理员批准', undefined],
  ['没有提供 API Key', undefined],
  ['トークンが指定されていません', undefined],
  ['Kein API-Schlüssel angegeben', 'unauthenticated'],
  ['No se ha proporcionado la contraseña', 'unauthenticated'],
  ['Токен не указан', 'unauthenticated'],
  ['Der angegebene Pfad existiert nicht', 'not_found'],
  ['La ruta indicada no existe', 'not_found'],
  ['指定的文件不存在', 'not_found'],
])('is something else: %s', (text, kind) => {
  expect(readProse(text)?.kind).toBe(kind);
});
