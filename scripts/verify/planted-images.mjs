// Images with and without an exact version. If the check does not complain about exactly the floating ones, it is asleep.
import { floatingImages } from './image-tags.mjs';

const digest = `sha256:${'0a'.repeat(32)}`;

const FLOATING = [
  'postgres',
  'postgres:latest',
  'postgres:17',
  'postgres:17-bookworm',
  'redis:7.4-bookworm',
  'node:22.23-bookworm-slim',
  'node:lts-slim',
  'registry.example:5000/postgres',
  'registry.example:5000/team/redis:7.4',
  '${IMAGE:-postgres}',
];

const EXACT = [
  'kurir',
  'kurir-proxy',
  'postgres:17.11-bookworm',
  'registry.example:5000/postgres:17.11',
  'redis:7.4.9-bookworm',
  'node:22.23.3-bookworm-slim',
  `node@${digest}`,
  `node:22@${digest}`,
];

const DOCKERFILE = `# FROM node\nFROM --platform=linux/amd64 node:22 AS base\nFROM base AS build\nFROM build\n`;

/** Complaints about the check; empty if it finds all that is planted and nothing else. */
export function checkPlantedImages() {
  const found = (image) => floatingImages(`services:\n  one:\n    image: "${image}" # a note\n`).length === 1;
  const lines = floatingImages(DOCKERFILE).map(({ line }) => line);
  return [
    ...FLOATING.filter((image) => !found(image)).map((image) => `planted and not found: ${image}`),
    ...EXACT.filter(found).map((image) => `found where nothing is wrong: ${image}`),
    ...(lines.join() === '2' ? [] : [`line 2 of the planted Dockerfile is floating, found: ${lines.join()}`]),
  ];
}
