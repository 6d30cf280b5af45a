import { expect, it } from 'vitest';
import { writeFields, writeParts } from './form-data.ts';

it('leaves out what is null, which a form has no words for', () => {
  const value = { a: null, b: 'null', c: [1] };
  expect(writeFields(value, {}, 'body').bytes.toString()).toBe('b=null&c=1');
  const parts = writeParts(value, {}, 'body').bytes.toString();
  expect(parts.match(/name="\w+"/g)).toEqual(['name="b"', 'name="c"']);
});
