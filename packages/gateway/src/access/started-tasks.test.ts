import { expect, it } from 'vitest';
import { StartedTasks, taskKey } from './started-tasks.ts';

const key = (task: string): string => taskKey('bank', task);

it('has a flood push out the flooder’s own, which are nobody’s then', () => {
  const tasks = new StartedTasks();
  tasks.learn({ owners: ['ann'], task: key('ann 1'), tool: 'pay' });
  for (let i = 0; i < 60_000; i++) tasks.learn({ owners: ['bob'], task: key(`bob ${i}`), tool: 'look' });
  tasks.learn({ owners: ['ann'], task: key('ann 2'), tool: 'pay' });
  expect(['ann 1', 'ann 2'].map((task) => tasks.toolOf(['ann'], key(task)))).toEqual(['pay', 'pay']);
  expect(['bob 0', 'bob 59999'].map((task) => tasks.toolOf(['bob'], key(task)))).toEqual([undefined, 'look']);
  expect(['ann 1', 'bob 0', 'bob 59999', 'before'].map((task) => tasks.hasBegun(key(task)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const known = [...tasks.learned()].filter((each) => 'tool' in each);
  expect(known.length).toBeGreaterThan(45_000);
  expect(known.length).toBeLessThanOrEqual(50_000);
});

it('knows tasks by what they are called, however long, and at which upstream', () => {
  const tasks = new StartedTasks();
  const long = 't'.repeat(10_000);
  tasks.learn({ owners: ['ann'], task: taskKey('bank', long), tool: 'pay' });
  expect(tasks.toolOf(['ann'], taskKey('bank', long))).toBe('pay');
  expect(tasks.hasBegun(taskKey('shop', long))).toBe(false);
  expect(tasks.hasBegun(taskKey('bank', `${long}t`))).toBe(false);
});

it('keeps no tool with a name that nobody has: the task is nobody’s', () => {
  const tasks = new StartedTasks();
  tasks.learn({ owners: ['ann'], task: key('t'), tool: 'x'.repeat(100_000) });
  expect([tasks.toolOf(['ann'], key('t')), tasks.hasBegun(key('t'))]).toEqual([undefined, true]);
});

it('tells others all that it knows, also what it has forgotten', () => {
  const [first, second] = [new StartedTasks(), new StartedTasks()];
  for (let i = 0; i < 60_000; i++) first.learn({ owners: [''], task: key(`t${i}`), tool: 'look' });
  second.learn({ owners: ['ann'], task: key('own'), tool: 'pay' });
  for (const learned of first.learned()) second.learn(JSON.parse(JSON.stringify(learned)));
  expect(second.toolOf([''], key('t59999'))).toBe('look');
  expect(['t0', 't59999', 'own', 'before'].map((task) => second.hasBegun(key(task)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
