import type { SkinningSystem } from '@pelt/kernels';
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import type { CoarseGraph } from '../../shared/mesh/coarse-graph.ts';
import type { Chunk, ChunkedMesh } from './chunked-mesh.ts';
import type { FoundBones } from './find-bones.ts';

/** What the sample knows about the vertices around it: weights to start from, and supports to try. */
export class SampleSupports extends ScopeOwner {
  readonly #system: SkinningSystem;
  readonly #coarse: CoarseGraph;
  readonly #found: FoundBones;
  readonly #positions: Float32Array;
  /** For each vertex of the system the sample that owns it; −1 for none. */
  readonly #owners: Int32Array;
  readonly #candidates: Block<Int32Array>;

  /** @param positions  of the file's rest pose */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    mesh: ChunkedMesh,
    { vertices }: Chunk,
    found: FoundBones,
    positions: Float32Array,
  ) {
    super(numerics);
    this.#system = system;
    this.#found = found;
    this.#positions = positions;
    this.#coarse = mesh.sample(found.sample.vertices.length, found.sample.shift);
    this.#owners = Int32Array.from(vertices, (i) => this.#coarse.owner[i]);
    this.#candidates = this.scope.i32(system.n * system.K);
  }

  /** Gives each vertex the weights of its sample, and moves its rest position as that of the sample was moved. */
  start(): void {
    const { n, K } = this.#system;
    const { rig, vertices } = this.#found.sample;
    const { radius } = this.#found.space;
    const { bones, weights } = this.#system.editWeights();
    const rest = this.#system.editRest();
    for (let i = 0; i < n; i++) {
      const owner = this.#owners[i];
      if (owner < 0) continue;
      for (let s = 0; s < K; s++) {
        bones[i * K + s] = rig.weights.bones[owner * K + s];
        weights[i * K + s] = rig.weights.weights[owner * K + s];
      }
      for (let d = 0; d < 3; d++) {
        rest[3 * i + d] += (rig.mesh.positions[3 * owner + d] - this.#positions[3 * vertices[owner] + d]) / radius;
      }
    }
  }

  /** Weights among the bones of the k-th sample beside that of each vertex; where it has none, they stay. */
  tryNeighbour(k: number): void {
    const { n, K } = this.#system;
    const { starts, neighbours } = this.#coarse.graph;
    const { weights } = this.#found.sample.rig;
    const candidates = this.#candidates.view.fill(-1);
    for (let i = 0; i < n; i++) {
      const owner = this.#owners[i];
      if (owner < 0 || starts[owner] + k >= starts[owner + 1]) continue;
      const other = neighbours[starts[owner] + k];
      for (let s = 0; s < K && weights.weights[other * K + s] > 0; s++) {
        candidates[i * K + s] = weights.bones[other * K + s];
      }
    }
    this.#system.solveWeightsAmong(this.#candidates, K);
  }
}
