/** The console: who looks, where, and the frame around it. */
import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { ask, type Trouble } from './api/ask.ts';
import { usePolled } from './api/polled.ts';
import { access, key, signOut } from './api/session.ts';
import { ApprovalsPage, type Waiting } from './approvals/approvals-page.tsx';
import { FaultsPage } from './faults/faults-page.tsx';
import { gather, line } from './faults/live.ts';
import { GroupsPage } from './groups/groups-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { lazily } from './parts/lazy.tsx';
import { Empty, Notice } from './parts/parts.tsx';
import { linkTo, place } from './place.ts';
import { SignIn } from './sign-in.tsx';

const TranslatorPage = lazily<object>(
  async () => (await import('./translator/translator-page.tsx')).TranslatorPage,
);
const ReferencePage = lazily<{ readonly open: string | undefined }>(
  async () => (await import('./reference/reference-page.tsx')).ReferencePage,
);

/** Every page, in the order of the menu. */
const PAGES: readonly (readonly [page: string, name: string])[] = [
  ['faults', 'Faults'],
  ['groups', 'Groups'],
  ['approvals', 'Approvals'],
  ['health', 'Health'],
  ['keys', 'Keys'],
  ['translator', 'Translator'],
  ['reference', 'Reference'],
];

/** Pages that ask nobody: they need no key. */
const OPEN_PAGES: ReadonlySet<string> = new Set(['translator', 'reference']);

const APPROVALS_MS = 3000;
const RETRY_MS = 3000;

/** All of it. */
export function App(): VNode {
  const { page } = place.value;
  const isOpen = useComputed(() => access.value.is === 'open');
  useEffect(() => {
    document.title = `${PAGES.find(([one]) => one === page)?.[1] ?? 'Nothing here'} · Mayday console`;
  }, [page]);
  useEffect(() => knock(), []);
  if (isOpen.value) return <Inside />;
  if (OPEN_PAGES.has(page)) return <Frame waiting={undefined}>{pageOf(undefined)}</Frame>;
  const { value } = access;
  if (value.is === 'closed') return <SignIn why={value.why} onTry={() => knock()} />;
  return (
    <main id="main">
      <Empty>Looking for the gateway…</Empty>
    </main>
  );
}

/** Asks whether the gateway answers this key, or without one; until it says yes or no. */
function knock(): () => void {
  const leaving = new AbortController();
  const secret = key.value;
  const turn = async (): Promise<void> => {
    const answer = await ask('status', { key: secret, signal: leaving.signal });
    if (leaving.signal.aborted || key.value !== secret) return;
    if ('ok' in answer) access.value = { is: 'open' };
    else if (answer.trouble.status === 401 || answer.trouble.status === 403)
      signOut(secret === undefined ? undefined : explained(answer.trouble));
    else {
      access.value = { is: 'closed', why: answer.trouble };
      setTimeout(() => void turn(), RETRY_MS);
    }
  };
  void turn();
  return () => leaving.abort();
}

/** A wrong key is told as one. */
function explained(trouble: Trouble): Trouble {
  if (trouble.status !== 401) return trouble;
  return {
    status: 401,
    what: 'The gateway does not know this key.',
    advice: 'It may be mistyped, expired or revoked; enter another one.',
  };
}

/** For those who are let in. */
function Inside(): VNode {
  const secret = key.value;
  useEffect(() => gather(secret), [secret]);
  const waiting: Waiting = usePolled('approvals', APPROVALS_MS);
  return <Frame waiting={waiting}>{pageOf(waiting)}</Frame>;
}

function pageOf(waiting: Waiting | undefined): VNode {
  const { page, what } = place.value;
  if (page === 'translator') return <TranslatorPage />;
  if (page === 'reference') return <ReferencePage open={what} />;
  if (page === 'groups') return <GroupsPage open={what} />;
  if (page === 'approvals' && waiting !== undefined) return <ApprovalsPage waiting={waiting} />;
  if (page === 'health') return <HealthPage />;
  if (page === 'keys') return <KeysPage />;
  if (page === 'faults') return <FaultsPage open={what} />;
  return (
    <>
      <h1>Nothing here</h1>
      <Notice
        trouble={{ status: 404, what: 'The console has no such page.', advice: 'Choose one of the menu.' }}
      />
    </>
  );
}

interface FrameProps {
  readonly waiting: Waiting | undefined;
  readonly children: VNode;
}

function Frame({ waiting, children }: FrameProps): VNode {
  const { page } = place.value;
  const count = waiting?.data?.approvals.length ?? 0;
  const isOld = waiting?.trouble !== undefined;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <header>
        <strong>Mayday</strong>
        <nav aria-label="Pages">
          {PAGES.map(([one, name]) => (
            <a key={one} href={linkTo(one)} aria-current={one === page ? 'page' : undefined}>
              {name}
              {one === 'approvals' && count > 0 && (
                <>
                  {' '}
                  <span class={isOld ? 'badge old' : 'badge'}>{count}</span>
                  <span class="hidden"> waiting{isOld && ' when the gateway was last heard'}</span>
                </>
              )}
            </a>
          ))}
        </nav>
        {waiting !== undefined && line.value.is === 'lost' && <span class="state lost">Connection lost</span>}
        {waiting === undefined && <a href={linkTo('faults')}>Sign in</a>}
        {key.value !== undefined && (
          <button
            type="button"
            onClick={() => signOut({ status: 401, what: 'You are signed out.', advice: '' })}
          >
            Sign out
          </button>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
