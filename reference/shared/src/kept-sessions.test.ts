import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../test/index.ts';
import { membersOver, openSessions, setOver } from './kept-sessions.ts';
import { openPresence } from './presence.ts';

function opened(folder: string, most?: number) {
  const presence = openPresence(folder);
  const sessions = openSessions(folder, presence, most);
  onTestFinished(() => {
    sessions.close();
    presence.close();
  });
  return sessions;
}

describe('sessions that are kept', () => {
  it('begin with their first fact, and are the same for all processes on the folder', () => {
    const folder = tempFolder();
    const [first, second] = [opened(folder), opened(folder)];
    const [here, there] = [first.facts('a'), second.facts('a')];
    expect([here.get('phase'), first.has('a'), first.count()]).toEqual([undefined, false, 0]);
    here.set('phase', { at: 'once' });
    there.set('other', true);
    expect([there.get('phase'), [...here.keys()]]).toEqual([{ at: 'once' }, ['other', 'phase']]);
    there.set('phase', 'now');
    expect([here.get('phase'), second.has('a'), second.has('b')]).toEqual(['now', true, false]);
    expect([there.delete('other'), here.delete('other'), here.get('other')]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(first.secret).toEqual(second.secret);
    expect([first.secret.length, opened(tempFolder()).secret.equals(first.secret)]).toEqual([32, false]);
  });

  it('that have ended are not begun again by what still runs in them', () => {
    const folder = tempFolder();
    const [first, second] = [opened(folder), opened(folder)];
    const [here, there] = [first.facts('a'), second.facts('a')];
    here.set('phase', 1);
    there.set('phase', 2);
    second.end('a');
    here.set('phase', 3);
    there.set('other', 3);
    expect([first.has('a'), here.get('phase'), there.get('other'), first.count()]).toEqual([
      false,
      undefined,
      undefined,
      0,
    ]);
  });

  it('are so many; the oldest ends with its facts', () => {
    const sessions = opened(tempFolder(), 2);
    for (const id of ['a', 'b']) sessions.facts(id).set('phase', id);
    expect(sessions.has('a')).toBe(true);
    sessions.facts('c').set('phase', 'c');
    expect(['a', 'b', 'c'].map((id) => sessions.has(id))).toEqual([false, true, true]);
    expect([sessions.count(), sessions.facts('a').get('phase')]).toEqual([2, undefined]);
  });
});

describe('which session ends where there are too many', () => {
  const left = (sessions: ReturnType<typeof opened>) =>
    ['a', 'b', 'c', 'd', 'e'].filter((id) => sessions.has(id)).join('');
  const begin = (sessions: ReturnType<typeof opened>, id: string, worth: number, isBusy = false) => {
    sessions.facts(id).set('phase', id);
    sessions.uses(id, worth, isBusy);
  };

  it('is the one of the least worth, then the one that was not used for longest', () => {
    vi.useFakeTimers({ now: 1000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = tempFolder();
    const [first, second] = [opened(folder, 3), opened(folder, 3)];
    begin(first, 'a', 2);
    begin(first, 'b', 1);
    begin(first, 'c', 1);
    vi.setSystemTime(2000);
    second.uses('b', 1, false);
    vi.setSystemTime(3000);
    begin(second, 'd', 0);
    expect(left(first)).toBe('abd');
    begin(first, 'e', 0);
    expect(left(second)).toBe('abe');
  });

  it('is none in which something is under way, in whatever process', () => {
    const folder = tempFolder();
    const [first, second] = [opened(folder, 2), opened(folder, 2)];
    begin(first, 'a', 0, true);
    second.uses('a', 0, false);
    begin(first, 'b', 2);
    begin(second, 'c', 1);
    expect(left(first)).toBe('ac');
    first.uses('a', 0, false);
    begin(second, 'd', 2);
    expect(left(first)).toBe('cd');
  });

  it('is one again whose process is gone, and stays the one that goes on', () => {
    vi.useFakeTimers({ now: 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const folder = tempFolder();
    const presence = openPresence(folder);
    const [gone, here] = [openSessions(folder, presence, 2), opened(folder, 2)];
    begin(gone, 'a', 0, true);
    begin(here, 'b', 0, true);
    gone.close();
    presence.close();
    vi.advanceTimersByTime(10_000);
    begin(here, 'c', 0);
    expect(left(here)).toBe('bc');
  });
});

describe('a stream', () => {
  it('is where it was opened last, until it is closed there or its process is gone', () => {
    const folder = tempFolder();
    const [first, second] = [opened(folder), opened(folder)];
    first.facts('a').set('wants', true);
    first.facts('b').set('wants', true);
    const [here, there] = [first.streamOf('a'), second.streamOf('a')];
    const seen = () => [
      here.isListenedHere(),
      there.isListenedHere(),
      first.listeningElsewhere('wants'),
      second.listeningElsewhere('wants'),
    ];
    expect(seen()).toEqual([false, false, 0, 0]);
    here.listens(true);
    expect(seen()).toEqual([true, false, 0, 1]);
    there.listens(true);
    here.listens(false);
    expect(seen()).toEqual([false, true, 1, 0]);
    expect(first.listeningElsewhere('other')).toBe(0);
    there.listens(false);
    expect(seen()).toEqual([false, false, 0, 0]);
    second.streamOf('gone').listens(true);
    expect(second.streamOf('gone').isListenedHere()).toBe(false);
    const presence = openPresence(folder);
    const third = openSessions(folder, presence);
    third.streamOf('b').listens(true);
    expect(first.listeningElsewhere('wants')).toBe(1);
    third.close();
    presence.close();
    expect(first.listeningElsewhere('wants')).toBe(0);
  });
});

describe('an object and a set', () => {
  it('over facts are what the facts are', () => {
    const facts = new Map<string, unknown>();
    const members = membersOver(facts, { phase: 'new', version: undefined as string | undefined });
    const items = setOver(facts, 'item ');
    expect([members.phase, members.version, items.has('x'), items.size]).toEqual([
      'new',
      undefined,
      false,
      0,
    ]);
    members.version = '1';
    items.add('x').add('y');
    expect([members.version, items.has('x'), items.size, facts.get('version')]).toEqual(['1', true, 2, '1']);
    expect([items.delete('x'), items.delete('x'), items.size]).toEqual([true, false, 1]);
    facts.set('phase', 'old');
    expect([members.phase, Object.keys(members)]).toEqual(['old', ['phase', 'version']]);
  });
});
