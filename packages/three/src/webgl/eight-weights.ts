/**
 * Eight weights per vertex on the classic WebGLRenderer: three's own skinning chunks, replaced in the mesh's material and
 * in those of its shadows.
 *
 *   useEightWeights(gltf.scene);
 *
 * The first set of weights is scaled back by what the second leaves, since GLTFLoader has scaled it to sum 1. The blended
 * matrix is made once and serves position, normal and tangent.
 */
import { UsageError } from '@pelt/model';
import { type Material, MeshDepthMaterial, MeshDistanceMaterial, type Object3D, RGBADepthPacking } from 'three';
import { type MeshShader, type PeltMesh, peltMeshesOf } from '../mesh/pelt-mesh.ts';

/** All that is baked into the source. */
const CACHE_KEY = 'pelt eight weights 1';

const BASE = /* glsl */ `
#ifdef USE_SKINNING
	vec4 peltFirst = skinWeight * ( 1.0 - dot( weights_1, vec4( 1.0 ) ) );
	mat4 peltSkin = peltFirst.x * getBoneMatrix( skinIndex.x ) + peltFirst.y * getBoneMatrix( skinIndex.y )
		+ peltFirst.z * getBoneMatrix( skinIndex.z ) + peltFirst.w * getBoneMatrix( skinIndex.w )
		+ weights_1.x * getBoneMatrix( joints_1.x ) + weights_1.y * getBoneMatrix( joints_1.y )
		+ weights_1.z * getBoneMatrix( joints_1.z ) + weights_1.w * getBoneMatrix( joints_1.w );
	peltSkin = bindMatrixInverse * peltSkin * bindMatrix;
#endif
`;

const NORMAL = /* glsl */ `
#ifdef USE_SKINNING
	objectNormal = mat3( peltSkin ) * objectNormal;
	#ifdef USE_TANGENT
		objectTangent = mat3( peltSkin ) * objectTangent;
	#endif
#endif
`;

const VERTEX = /* glsl */ `
#ifdef USE_SKINNING
	transformed = ( peltSkin * vec4( transformed, 1.0 ) ).xyz;
#endif
`;

class EightWeights implements MeshShader {
  readonly #made: readonly Material[];

  constructor(made: readonly Material[]) {
    this.#made = made;
  }

  dispose(): void {
    for (const material of this.#made) material.dispose();
  }

  cloneFor(mesh: PeltMesh): MeshShader {
    // Object3D.copy leaves the shadows' materials behind.
    const [, depth, distance] = this.#made;
    mesh.customDepthMaterial = depth;
    mesh.customDistanceMaterial = distance;
    return new EightWeights([]);
  }
}

/**
 * Equips the meshes of ours in an object that have five to eight weights per vertex; returns them.
 * @example
 * {@includeCode ../../examples/loading.ts}
 */
export function useEightWeights(object: Object3D): PeltMesh[] {
  const meshes = peltMeshesOf(object).filter(({ geometry }) => geometry.hasAttribute('joints_1'));
  for (const mesh of meshes) {
    if (Array.isArray(mesh.material)) {
      throw new UsageError(`useEightWeights: '${mesh.name}' has several materials; split it`);
    }
    if (mesh.model.skin.slots > 8) {
      console.warn(`pelt: '${mesh.name}' has ${mesh.model.skin.slots} weights per vertex; WebGLRenderer shows eight`);
    }
    mesh.shader?.dispose();
    const material = patched(mesh.material.clone(), mesh.material);
    const depth = patched(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }));
    const distance = patched(new MeshDistanceMaterial());
    mesh.material = material;
    mesh.customDepthMaterial = depth;
    mesh.customDistanceMaterial = distance;
    mesh.shader = new EightWeights([material, depth, distance]);
  }
  return meshes;
}

/** @param source  whose own changes to the shader come first */
function patched<T extends Material>(material: T, source: Material = material): T {
  const { onBeforeCompile, customProgramCacheKey } = source;
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <skinning_pars_vertex>',
        '#include <skinning_pars_vertex>\n#ifdef USE_SKINNING\n\tattribute vec4 joints_1;\n\tattribute vec4 weights_1;\n#endif',
      )
      .replace('#include <skinbase_vertex>', BASE)
      .replace('#include <skinnormal_vertex>', NORMAL)
      .replace('#include <skinning_vertex>', VERTEX);
  };
  material.customProgramCacheKey = () => `${customProgramCacheKey.call(source)} ${CACHE_KEY}`;
  return material;
}
