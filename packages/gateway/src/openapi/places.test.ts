/** Where operations are called that have servers of their own. */
import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

function placed(server: string, baseUrl: string | undefined, own: string, origins: readonly string[] = []) {
  const settings = {
    baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl),
    origins,
    headers: { a: 'b' },
    query: {},
  };
  const places = createPlaces({ base: new URL(baseUrl ?? server), server, settings } as Parameters<
    typeof createPlaces
  >[0]);
  const { base, isOwn } = places.of({ server: own, method: 'GET', path: '/b' } as Parameters<
    typeof places.of
  >[0]);
  return [base.href.replace(/\/$/, ''), isOwn, places.notes.length];
}

const API = 'https://api.example.com';
const PROXY = 'http://127.0.0.1:9/proxy/twilio';

it.each<[string, string | undefined, string, string, number]>([
  // The place of the document itself is where base_url is, however it is said.
  [API, PROXY, API, PROXY, 0],
  [API, PROXY, `${API}/`, PROXY, 0],
  [`${API}/v1`, PROXY, `${API}/v1`, PROXY, 0],
  [`${API}/v1`, PROXY, '/v1/', PROXY, 0],
  // What is below it is below base_url.
  [API, PROXY, `${API}/v2`, `${PROXY}/v2`, 0],
  [`${API}/v1`, PROXY, `${API}/v1/beta`, `${PROXY}/beta`, 0],
  [`${API}/v1`, `${PROXY}/`, `${API}/v1/beta`, `${PROXY}/beta`, 0],
  // What is beside it is beside base_url where that ends alike.
  [`${API}/v1`, `${PROXY}/v1`, `${API}/v2`, `${PROXY}/v2`, 0],
  [`${API}/v1`, `${PROXY}/v1`, API, PROXY, 0],
  [`${API}/v1`, 'http://127.0.0.1:9/v1', `${API}/v10`, 'http://127.0.0.1:9/v10', 0],
  // Otherwise nobody can know, and it stays below base_url.
  [`${API}/v1`, PROXY, `${API}/v2`, `${PROXY}/v2`, 1],
  [`${API}/v1`, PROXY, API, PROXY, 1],
  [`${API}/v1`, PROXY, '/rel', `${PROXY}/rel`, 1],
  [`${API}/v1`, 'http://127.0.0.1:9', `${API}/v2`, 'http://127.0.0.1:9/v2', 1],
  [`${API}/v1`, PROXY, 'https://other.example.com/x', PROXY, 1],
  // Without base_url the document decides.
  [`${API}/v1`, undefined, `${API}/v2`, `${API}/v2`, 0],
  [`${API}/v1`, undefined, API, API, 0],
  [`${API}/v1`, undefined, '/rel', `${API}/rel`, 0],
])('document at %s, base_url %s, operation at %s: %s', (server, baseUrl, own, expected, notes) => {
  expect(placed(server, baseUrl, own)).toEqual([expected, true, notes]);
});

it('goes where origins names the place', () => {
  const named = ['https://other.example.com'];
  expect(placed(API, PROXY, 'https://other.example.com/x', named)).toEqual([
    'https://other.example.com/x',
    true,
    0,
  ]);
});

it('tells what an address of the document has that is not sent, and not what it says', () => {
  const notes = (server: string, own?: string, baseUrl?: string) => {
    const settings = { baseUrl: baseUrl && new URL(baseUrl), origins: [], headers: {}, query: {} };
    const places = createPlaces({ base: new URL(baseUrl ?? server), server, settings } as Parameters<
      typeof createPlaces
    >[0]);
    for (const path of ['/a', '/b'])
      places.of({ server: own, method: 'GET', path } as Parameters<typeof places.of>[0]);
    return places.notes;
  };
  const query = (at: string) =>
    `the server ${at} of the document has a query, which is not sent; put what has to go along into query`;
  expect(notes(`${API}/v1?key=hunter2`)).toEqual([query(`${API}/v1`)]);
  expect(notes(`${API}/v1`, '/v1/x?key=hunter2')).toEqual([query(`${API}/v1/x`)]);
  expect(notes('https://me:hunter2@api.example.com/v1')).toEqual([
    `the server ${API}/v1 of the document has a user or a password, which are not sent; put them into headers`,
  ]);
  expect(notes(`${API}/v1?key=hunter2`, undefined, PROXY)).toEqual([]);
  expect(notes(`${API}/v1?`)).toEqual([]);
});
