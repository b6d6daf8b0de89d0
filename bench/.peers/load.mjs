// The peers are ES modules installed only in this folder, so `import` must run here.
export const load = (name) => import(name);
