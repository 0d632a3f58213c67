/** Fills a closed surface with tetrahedra. */
export { TETRAHEDRALIZE_DEFAULTS, type TetrahedralizeOptions } from './options.ts';
export { type Tetrahedralization, type TetrahedraReport, tetrahedralize } from './tetrahedralize.ts';
