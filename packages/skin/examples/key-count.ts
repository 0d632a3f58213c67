import { keyCount } from '@pelt/skin/reduce';

if (keyCount([Int32Array.of(0, 5), Int32Array.of(0, 2, 5)]) !== 5) throw new Error('two and three');
