/** Connected components of a body without constraints, such as eyes and buttons. */
import type { TetMesh } from '@pelt/model';

/** Sorted vertices of the connected components without any constrained vertex. */
export function looseParts(body: TetMesh, held: Iterable<number>): Uint32Array {
  const part = Int32Array.from({ length: body.positions.length / 3 }, (_, v) => v);
  const root = (v: number): number => {
    let r = v;
    while (part[r] !== r) r = part[r];
    while (part[v] !== r) [part[v], v] = [r, part[v]];
    return r;
  };
  for (let k = 0; k < body.tetrahedra.length; k++) part[root(body.tetrahedra[k])] = root(body.tetrahedra[k & ~3]);
  const holding = new Set<number>();
  for (const v of held) holding.add(root(v));
  const loose: number[] = [];
  for (let v = 0; v < part.length; v++) if (!holding.has(root(v))) loose.push(v);
  return Uint32Array.from(loose);
}
