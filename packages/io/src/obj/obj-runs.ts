/** Which faces of an OBJ belong together: runs of one name and one material, as its statements come by. */
/** Faces from `firstFace` on that share a name and a material. */
export interface ObjRun {
  readonly name: string;
  /** Index into `materialNames`; −1 for none. */
  readonly material: number;
  readonly firstFace: number;
}

export class ObjRuns {
  readonly runs: ObjRun[] = [];
  readonly #materials = new Map<string, number>();
  #name = '';
  #material = -1;
  #isNew = true;

  /** In the order of their first use. */
  get materialNames(): string[] {
    return [...this.#materials.keys()];
  }

  /** An object begins a run of its own, whatever its name. */
  startObject(name: string): void {
    this.#isNew = true;
    this.#name = name;
  }

  /** A group begins one only where its name differs: exporters repeat it. */
  startGroup(name: string): void {
    if (name !== this.#name) this.startObject(name);
  }

  useMaterial(name: string): void {
    // `(null)` is how exporters say that faces have no material: the format has no word for it.
    const material = name === '' || name === '(null)' ? -1 : (this.#materials.get(name) ?? this.#materials.size);
    if (material >= 0) this.#materials.set(name, material);
    if (material !== this.#material) this.#isNew = true;
    this.#material = material;
  }

  /** Told of every face, so that a run without faces never comes to be. */
  addFace(face: number): void {
    if (!this.#isNew) return;
    this.runs.push({ name: this.#name, material: this.#material, firstFace: face });
    this.#isNew = false;
  }
}
