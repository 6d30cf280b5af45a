import { expect, it } from 'vitest';
import * as store from './index.ts';

it('exports these names, and no others', () => {
  expect(Object.keys(store).sort()).toEqual([
    'StoreError',
    'backUpStore',
    'openStore',
    'restoreStore',
    'storeFile',
  ]);
});
