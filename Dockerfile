# One image for every program of Kurir; docker-compose.yml says which one a container runs. Builds with and without
# BuildKit (docker-compose 1.29 builds without it).

# The version that scripts/downloads/node-versions.mjs names, too.
FROM node:22.23.3-bookworm-slim AS node

# Only the manifests, so that editing a source file does not install the dependencies again.
FROM node AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete && find . -type d -empty -delete

# The compilers are optional dependencies of dev dependencies. No package needs its install script.
FROM node AS build
ENV TURBO_TELEMETRY_DISABLED=1
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx turbo run build --filter='./apps/*...' --filter='./packages/client...'
# Optional are the compilers, an embedded Postgres and Prisma's command, and also the compiled hash of passwords, which
# is kept.
RUN mv node_modules/@node-rs /tmp/ \
  && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@node-rs && mv /tmp/@node-rs node_modules/

# The proxy before the apis: the nginx of Debian. In a container of Docker, ordinary users may listen on low ports.
FROM node AS proxy
RUN apt-get update \
  && apt-get install -y --no-install-recommends nginx-light \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY docker/nginx.conf docker/start-proxy.sh docker/is-ready.mjs docker/
USER node
CMD ["sh", "docker/start-proxy.sh"]

FROM node
# VERSION is that of package.json. The others come from who builds: see docs/kubernetes.md.
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Kurir" \
  org.opencontainers.image.description="A messaging gateway: api, worker, migrator and admin commands" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
ENV NODE_ENV=production
# A new volume takes over owner and mode of the folder that it is mounted on.
# Redis runs as another user and reads its folder, which no other container has.
RUN install -d -o node -g node -m 700 /kurir/keys /kurir/postgres /kurir/owner /kurir/simulator /app/.kurir \
  && install -d -o node -g node -m 755 /kurir/redis
WORKDIR /app
COPY --from=build /app ./
USER node
CMD ["node", "--no-allocation-site-pretenuring", "apps/api/dist/main.js"]
# There is no HEALTHCHECK: the image has several programs, with other ports or none. docker-compose.yml and Kubernetes know
# which one runs.
