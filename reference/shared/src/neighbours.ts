import { type KeptSessions, openSessions } from './kept-sessions.ts';
import { type News, openNews } from './news.ts';
import { openPresence, type Presence } from './presence.ts';

/** What a process has to do with the others on its data folder. */
export interface Neighbours {
  readonly presence: Presence;
  readonly sessions: KeptSessions;
  readonly news: News;
  close(): void;
}

/** Joins them. */
export function openNeighbours(folder: string): Neighbours {
  const presence = openPresence(folder);
  const sessions = openSessions(folder, presence);
  const news = openNews(folder);
  return {
    presence,
    sessions,
    news,
    close() {
      for (const open of [news, sessions, presence]) open.close();
    },
  };
}
