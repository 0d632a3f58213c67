/** Materials of UsdPreviewSurface, with the pictures that they name. */
import { type Image, MATERIAL_DEFAULTS, type Material, type Texture } from '@pelt/model';
import { mimeTypeOf } from '../../gltf/read-materials.ts';
import { baseName } from '../../read-options.ts';
import type { WarningTally } from '../../warning-tally.ts';
import { beside, type StagePrim, type UsdStage } from './compose.ts';
import type { ResolveUsd } from './open-usd.ts';
import { isNumbers, numberOf, textOf, type UsdProperty } from './usd-layer.ts';

const WRAPS: Readonly<Record<string, number>> = { clamp: 33071, black: 33071, mirror: 33648, repeat: 10497 };
/** Connections through interfaces of materials and graphs are followed so far. */
const MAX_STEPS = 16;

export class UsdMaterialReader {
  readonly materials: Material[] = [];
  readonly images: Image[] = [];
  readonly #stage: UsdStage;
  readonly #picture: ResolveUsd;
  readonly #sets: readonly string[];
  readonly #warnings: WarningTally;
  readonly #known = new Map<string, number>();
  readonly #pictures = new Map<string, number>();

  /** @param sets  names of the UV sets that are read */
  constructor(stage: UsdStage, picture: ResolveUsd, sets: readonly string[], warnings: WarningTally) {
    this.#stage = stage;
    this.#picture = picture;
    this.#sets = sets;
    this.#warnings = warnings;
  }

  /** Index of the material at a path; −1 where there is none. */
  material(path: string | undefined): number {
    const prim = path === undefined ? undefined : this.#stage.find(path);
    if (!prim) return -1;
    const known = this.#known.get(prim.path);
    if (known !== undefined) return known;
    this.materials.push(this.#read(prim));
    this.#known.set(prim.path, this.materials.length - 1);
    return this.materials.length - 1;
  }

  /** A material of one colour, of meshes that have a colour and no material. */
  plain(color: readonly [number, number, number]): number {
    const key = color.join();
    const known = this.#known.get(key) ?? this.materials.length;
    if (!this.#known.has(key))
      this.materials.push({ ...MATERIAL_DEFAULTS, name: 'displayColor', baseColor: [...color, 1] });
    this.#known.set(key, known);
    return known;
  }

  #read(prim: StagePrim): Material {
    const name = textOf(prim.metadata.displayName) || prim.name;
    const shader = this.#surface(prim);
    if (!shader) {
      this.#warnings.add(`material '${prim.path}' has no UsdPreviewSurface and is read as a plain one`);
      return { ...MATERIAL_DEFAULTS, name };
    }
    const input = (key: string) => shader.properties.get(`inputs:${key}`);
    const number = (key: string, otherwise: number) => numberOf(this.#value(input(key)), otherwise);
    const [base, emissive, normal] = [
      this.#texture(input('diffuseColor')),
      this.#texture(input('emissiveColor')),
      this.#texture(input('normal')),
    ];
    const metal = this.#texture(input('metallic')) ?? this.#texture(input('roughness'));
    const opacity = number('opacity', 1);
    const threshold = number('opacityThreshold', 0);
    const covered = this.#texture(input('opacity')) !== undefined;
    const alpha = covered ? (base?.scale[3] ?? 1) : opacity;
    const blends = covered || opacity < 1;
    return {
      ...MATERIAL_DEFAULTS,
      name,
      baseColor: [...(base ? colorOf(base.scale) : this.#color(input('diffuseColor'), 0.18)), alpha],
      emissive: emissive ? colorOf(emissive.scale) : this.#color(input('emissiveColor'), 0),
      metallic: metal ? metal.scale[2] : number('metallic', 0),
      roughness: metal ? metal.scale[1] : number('roughness', 0.5),
      alphaMode: threshold > 0 ? 'MASK' : blends ? 'BLEND' : 'OPAQUE',
      ...(threshold > 0 && { alphaCutoff: threshold }),
      ...(base && { baseColorTexture: base.texture }),
      ...(emissive && { emissiveTexture: emissive.texture }),
      ...(normal && { normalTexture: normal.texture }),
      ...(metal && { metallicRoughnessTexture: metal.texture }),
    };
  }

  #surface(prim: StagePrim): StagePrim | undefined {
    const [target] = prim.properties.get('outputs:surface')?.targets ?? [];
    const connected = target && this.#stage.find(target.slice(0, target.lastIndexOf('.')));
    const isSurface = (one: StagePrim) => textOf(one.properties.get('info:id')?.value()) === 'UsdPreviewSurface';
    return connected && isSurface(connected) ? connected : prim.children.find(isSurface);
  }

  #color(property: UsdProperty | undefined, otherwise: number): [number, number, number] {
    const value = this.#value(property);
    return isNumbers(value) && value.length >= 3 ? [value[0], value[1], value[2]] : [otherwise, otherwise, otherwise];
  }

  /** A value, of the property itself or of the input that it is connected to. */
  #value(property: UsdProperty | undefined) {
    let found = property;
    for (let step = 0; step < MAX_STEPS && found && found.targets.length > 0; step++) {
      const [target] = found.targets;
      found = this.#stage
        .find(target.slice(0, target.lastIndexOf('.')))
        ?.properties.get(target.slice(target.lastIndexOf('.') + 1));
    }
    return found?.value();
  }

  #texture(
    property: UsdProperty | undefined,
  ): { readonly texture: Texture; readonly scale: readonly number[] } | undefined {
    const [target] = property?.targets ?? [];
    const shader = target ? this.#stage.find(target.slice(0, target.lastIndexOf('.'))) : undefined;
    if (!shader || textOf(shader.properties.get('info:id')?.value()) !== 'UsdUVTexture') return undefined;
    const file = shader.properties.get('inputs:file');
    const image = this.#image(textOf(this.#value(file)), textOf(file?.metadata.file));
    if (image < 0) return undefined;
    const scale = this.#value(shader.properties.get('inputs:scale'));
    const wrap = (key: string) => WRAPS[textOf(this.#value(shader.properties.get(`inputs:${key}`)))];
    const [wrapS, wrapT] = [wrap('wrapS'), wrap('wrapT')];
    const texture = {
      image,
      uvSet: this.#uvSet(shader),
      ...(wrapS !== undefined && { wrapS }),
      ...(wrapT !== undefined && { wrapT }),
    };
    return { texture, scale: isNumbers(scale) && scale.length === 4 ? [...scale] : [1, 1, 1, 1] };
  }

  /** Which of the UV sets a texture reads, by the name of its primvar. */
  #uvSet(shader: StagePrim): number {
    let reader: StagePrim | undefined = shader;
    let [target] = shader.properties.get('inputs:st')?.targets ?? [];
    for (let step = 0; step < MAX_STEPS && target; step++) {
      reader = this.#stage.find(target.slice(0, target.lastIndexOf('.')));
      const kind = textOf(reader?.properties.get('info:id')?.value());
      if (kind !== 'UsdTransform2d') break;
      this.#warnings.add('textures that are moved or scaled are read as if they were not');
      [target] = reader?.properties.get('inputs:in')?.targets ?? [];
    }
    const name = textOf(this.#value(reader?.properties.get('inputs:varname')));
    return Math.max(this.#sets.indexOf(name), 0);
  }

  #image(asset: string, layer: string): number {
    if (asset === '') return -1;
    const path = beside(layer, asset);
    const known = this.#pictures.get(path);
    if (known !== undefined) return known;
    const bytes = this.#picture(path);
    const mimeType = bytes && mimeTypeOf(bytes);
    let index = -1;
    if (!bytes) this.#warnings.add(`the picture '${asset}' is not there and left out`);
    else if (!mimeType) this.#warnings.add(`the picture '${asset}' is of a kind that glTF cannot hold, and left out`);
    else {
      index = this.images.length;
      this.images.push({ name: baseName(path).replace(/\.[^.]*$/, ''), mimeType, bytes });
    }
    this.#pictures.set(path, index);
    return index;
  }
}

function colorOf(scale: readonly number[]): [number, number, number] {
  return [scale[0], scale[1], scale[2]];
}
