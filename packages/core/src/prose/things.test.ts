import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';
import { thingIn } from './things.ts';

describe('what was not found', () => {
  it.each([
    ['Invoice 2209 not found', { type: 'invoice', id: '2209' }],
    ['The parcel "Blue box" could not be found', { type: 'parcel' }],
    ['Greenhouse G-7 does not exist', { type: 'greenhouse', id: 'G-7' }],
    ["Vehicle with id V-12 doesn't exist", { type: 'vehicle', id: 'V-12' }],
    ['No such volume: data-1', { type: 'volume', id: 'data-1' }],
    ['no such column', { type: 'column' }],
    ['There is no article for EAN 4012345678901', { type: 'article' }],
    ['No passenger with number P-88', { type: 'passenger', id: 'P-88' }],
    ['No station named "Nowhere"', { type: 'station' }],
    ['No employee found', { type: 'employee' }],
    ['Error: Could not find shipment 77', { type: 'shipment', id: '77' }],
    ['Unable to locate the warehouse.', { type: 'warehouse' }],
    ['Cannot find any tenant "acme"', { type: 'tenant' }],
    ['Unknown airport: ZZZ9', { type: 'airport', id: 'ZZZ9' }],
    ['rpc error: code = NotFound desc = cluster "main" not found', { type: 'cluster' }],
    ['Team acme/ops not found or you lack access', { type: 'team' }],
    ['Channel #general not found', { type: 'channel' }],
    ['Failed to load: album 9 was not found', { type: 'album', id: '9' }],
    ['The requested page no longer exists', { type: 'page' }],
    ['{"message":"Booking not found"}', { type: 'booking' }],
    ['{"error":{"code":404,"message":"Contract C-9 not found"}}', { type: 'contract', id: 'C-9' }],
    ['Sales order 12 is not known', { type: 'order', id: '12' }],
    ['404: Song not found', { type: 'song' }],
    ['The user could not be located', { type: 'user' }],
    ['Policy 3 cannot be found', { type: 'policy', id: '3' }],
  ])('is named: %s', (text, subject) => {
    expect(readProse(text)).toMatchObject({ kind: 'not_found' });
    expect(readProse(text)?.subject).toEqual(subject);
  });

  it.each([
    'Not found',
    '404 Not Found',
    'It could not be found',
    'No results found',
    'No matches for "blue"',
    'Nothing found',
    'The server returned 404',
    'Request failed: not found',
    'Something was not found',
  ])('is not named: %s', (text) => {
    expect(thingIn(text)).toBeUndefined();
  });

  it('hands on no names of people, no addresses and no long numbers', () => {
    for (const text of [
      'User "Jane Doe" not found',
      'User jane@a.example not found',
      'Card 4111111111111111 not found',
    ])
      expect(thingIn(text)?.id).toBeUndefined();
  });

  it('leaves the words of the protocol to those who know them', () => {
    expect(readProse('Tool mow_lawn not found')?.subject).toEqual({ type: 'tool', id: 'mow_lawn' });
    expect(thingIn('Session 7 not found')).toBeUndefined();
  });
});
