/** The keys of the store: who has one, and ending it. Keys are made at the command line, where a secret is safer. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { ask, type Trouble } from '../api/ask.ts';
import type { KeyDocument } from '../api/documents.ts';
import { usePolled } from '../api/polled.ts';
import { key } from '../api/session.ts';
import { Asked } from '../parts/dialog.tsx';
import { Empty, Foreign, Name, Notice, Time, Wide } from '../parts/parts.tsx';
import { visible } from '../text/visible.ts';

const EVERY_MS = 10_000;

/** The page. */
export function KeysPage(): VNode {
  const { data, trouble, again } = usePolled<{ readonly keys: readonly KeyDocument[] }>('keys', EVERY_MS);
  const chosen = useSignal<KeyDocument | undefined>(undefined);
  const isBusy = useSignal(false);
  const failed = useSignal<Trouble | undefined>(undefined);
  const revoke = async ({ id }: KeyDocument): Promise<void> => {
    isBusy.value = true;
    const answer = await ask(`keys/${encodeURIComponent(id)}/revoke`, { key: key.value, isChange: true });
    isBusy.value = false;
    chosen.value = undefined;
    failed.value = 'trouble' in answer ? unheard(answer.trouble) : undefined;
    again();
  };
  return (
    <>
      <h1>Keys</h1>
      <Notice trouble={failed.value ?? trouble} />
      {data === undefined && trouble === undefined && <Empty>Looking…</Empty>}
      {data?.keys.length === 0 && (
        <Empty>
          The store has no keys. Those of the file are not listed; <code>mayday keys create</code> makes one
          here.
        </Empty>
      )}
      {data !== undefined && data.keys.length > 0 && (
        <KeyTable
          keys={data.keys}
          onRevoke={(one) => {
            chosen.value = one;
          }}
        />
      )}
      {chosen.value !== undefined && (
        <Asked
          title="Revoke this key?"
          action="Revoke the key"
          isDanger
          isBusy={isBusy.value}
          onYes={() => chosen.value && void revoke(chosen.value)}
          onNo={() => {
            chosen.value = undefined;
          }}
        >
          <p>
            All secrets of <Name of={chosen.value.name} /> end within two seconds. This cannot be taken back.
          </p>
        </Asked>
      )}
    </>
  );
}

/** A key is revoked once, by a person: nobody tries it again. */
function unheard(trouble: Trouble): Trouble {
  if (trouble.status !== 0) return trouble;
  const advice = 'Whether the key is revoked is not known. When it answers again, look at its state here.';
  return { ...trouble, advice };
}

interface TableProps {
  readonly keys: readonly KeyDocument[];
  readonly onRevoke: (one: KeyDocument) => void;
}

function KeyTable({ keys, onRevoke }: TableProps): VNode {
  return (
    <Wide label="Keys">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Role</th>
            <th>Upstreams</th>
            <th>Made</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>State</th>
            <th>
              <span class="hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((one) => (
            <tr key={one.id}>
              <td title={visible(one.id)}>
                <Foreign text={one.name} />
              </td>
              <td>{one.role}</td>
              <td>
                <Foreign text={one.upstreams?.join(', ') ?? 'all'} />
              </td>
              <td>
                <Time at={one.created_at} />
              </td>
              <td>{one.last_used_at === null ? 'never' : <Time at={one.last_used_at} />}</td>
              <td>{one.expires_at === null ? 'never' : <Time at={one.expires_at} />}</td>
              <td>{one.state}</td>
              <td>
                {one.state === 'good' && (
                  <button
                    type="button"
                    aria-label={`Revoke ${visible(one.name)}`}
                    onClick={() => onRevoke(one)}
                  >
                    Revoke
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
