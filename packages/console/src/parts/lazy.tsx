/** Pages that are fetched when somebody opens them. */
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty, Notice } from './parts.tsx';

const NOT_LOADED = {
  status: 0,
  what: 'This page cannot be fetched.',
  advice: 'The gateway may have been updated or stopped; load the console again.',
};

/** Shows a component once it is there. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => VNode {
  let loaded: ComponentType<P> | undefined;
  return function Lazily(props: P): VNode {
    const [state, setState] = useState<'loading' | 'there' | 'failed'>(
      loaded === undefined ? 'loading' : 'there',
    );
    useEffect(() => {
      load().then(
        (component) => {
          loaded = component;
          setState('there');
        },
        () => setState('failed'),
      );
    }, []);
    const Page = loaded;
    if (Page !== undefined) return <Page {...props} />;
    return state === 'failed' ? <Notice trouble={NOT_LOADED} /> : <Empty>Looking…</Empty>;
  };
}
