import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { forModel } from '../entries/render.ts';
import { fault } from '../index.ts';

const page = (head: string, body = ''): string =>
  `<!DOCTYPE html>\n<html lang="en"><head>${head}<style>p{}</style></head><body>${body}</body></html>`;

it.each([
  [page('<title>502 Bad Gateway</title>'), '502 Bad Gateway.'],
  [`HTTP 502: ${page('<title>Bad\n gateway</title>')}`, 'HTTP 502: Bad gateway.'],
  [page('', '<h1 class="x">Sorry, <b>down</b></h1><p>Ray ID 1</p>'), 'Sorry, down.'],
  [page('', '<p>Ray ID 1</p>'), 'Upstream failed.'],
  [`<HTML><HEAD><TITLE>Cut`, 'Upstream failed.'],
])('says the title of a page, and nothing of its markup', (message, said) => {
  const text = forModel(fault.upstreamFailed(message).fault);
  expect(text).toBe(
    `${said} A service behind the tool failed; back off, then try again if it is safe to repeat.`,
  );
});

it('leaves words alone that only mention markup', () => {
  expect(forModel(fault.notFound('No element <main>').fault)).toContain('No element <main>');
});

it('takes linear time', () => {
  const started = threadClock();
  forModel(fault.internal(`<html>${'<title'.repeat(200_000)}`).fault);
  expect(threadClock() - started).toBeLessThan(500);
});
