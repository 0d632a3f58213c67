/** Tetrahedra: fills a closed surface with a tetrahedral mesh. */
export { TETRAHEDRALIZE_DEFAULTS, type TetrahedralizeOptions } from './options.ts';
export { type Tetrahedralization, type TetrahedraReport, tetrahedralize } from './tetrahedralize.ts';
