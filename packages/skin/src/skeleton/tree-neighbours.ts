/** The bones that each bone of a skeleton is joined to. */
export function treeNeighbours(parents: readonly number[] | Int32Array): number[][] {
  const neighbours: number[][] = Array.from(parents, () => []);
  parents.forEach((parent, k) => {
    if (parent < 0) return;
    neighbours[k].push(parent);
    neighbours[parent].push(k);
  });
  return neighbours;
}
