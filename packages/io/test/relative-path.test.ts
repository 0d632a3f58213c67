import { expect, it } from 'vitest';
import { relativePath } from '../src/relative-path.ts';

it.each([
  ['skin.png', 'skin.png'],
  ['textures/skin.png', 'textures/skin.png'],
  ['textures\\skin.png', 'textures/skin.png'],
  ['./a//b/./c.png', 'a/b/c.png'],
  ['with blank.mtl', 'with blank.mtl'],
  ['..hidden', '..hidden'],
  ['a..b/c', 'a..b/c'],
])('lets %s through', (path, expected) => {
  expect(relativePath(path)).toBe(expected);
});

it.each([
  '',
  '.',
  '/',
  '..',
  '../a.mtl',
  'a/../../b.mtl',
  'a\\..\\..\\b.mtl',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\a.mtl',
  'c:a.mtl',
  'http://example.org/a.mtl',
  'file:///a.mtl',
  'data:text/plain,a',
  'a\0.mtl',
  'a\n.mtl',
])('refuses %j', (path) => {
  expect(relativePath(path)).toBeUndefined();
});
