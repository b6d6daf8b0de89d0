import type packageJson from '../../package.json';
import { readManifest } from '../../scripts/manifest';

/** A setting as `package.json` declares it. */
export interface DeclaredSetting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly type?: unknown;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The groups in which VS Code shows the settings, in their order. */
export const settingGroups: ReadonlyArray<{
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, DeclaredSetting>>;
}> = (readManifest() as typeof packageJson).contributes.configuration;

/** Every setting that `package.json` declares, by its whole name. */
export const declaredSettings: Readonly<Record<string, DeclaredSetting>> = Object.fromEntries(
  settingGroups.flatMap(({ properties }) => Object.entries(properties)),
);
