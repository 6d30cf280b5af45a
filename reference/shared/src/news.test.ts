import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../test/index.ts';
import { openNews } from './news.ts';

function opened(folder: string) {
  const news = openNews(folder);
  onTestFinished(() => news.close());
  return news;
}

describe('news', () => {
  it('are heard by the others, in order, from when they are there, and by all who follow', async () => {
    const folder = tempFolder();
    const teller = opened(folder);
    teller.tell({ n: 0 });
    const [first, second, own]: [object[], object[], object[]] = [[], [], []];
    const other = opened(folder);
    other.follow((news) => first.push(news));
    other.follow((news) => second.push(news));
    teller.follow((news) => own.push(news));
    for (const n of [1, 2, 3]) teller.tell({ n });
    await vi.waitUntil(() => second.length === 3);
    expect([first, second, own]).toEqual([[{ n: 1 }, { n: 2 }, { n: 3 }], first, []]);
  });

  it('are not on the disk for long', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const folder = tempFolder();
    const gone = openNews(folder);
    gone.tell({ n: 1 });
    gone.close();
    const teller = opened(folder);
    teller.tell({ n: 2 });
    const rows = new DatabaseSync(join(folder, 'news.sqlite'), { readOnly: true });
    onTestFinished(() => rows.close());
    const count = () => rows.prepare('SELECT count(*) AS n FROM news').get()?.['n'];
    expect(count()).toBe(2);
    vi.advanceTimersByTime(4999);
    expect(count()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(count()).toBe(0);
  });
});
