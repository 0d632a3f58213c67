/** What may be changed of a glTF while it is written again. Apart from the code, whose types are those of glTF-Transform. */
import type { SkinWeights } from '@pelt/model';

export interface GltfEdit {
  /** Weights over the bones of the asset, for the vertices of its merged mesh. Joints without weights leave their skins. */
  readonly weights?: SkinWeights;
  /** For each animation the second at which it is closed: it ends there as it begins. Absent: as it ends. */
  readonly ends?: readonly (number | undefined)[];
  /** Share of the triangles that stay, above 0 and below 1: a level of detail, judged over the poses of all clips. */
  readonly triangles?: number;
}
