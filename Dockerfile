# Serves the crews of /crews, with its journal in /store. See docs/deployment.md.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY studio/package.json studio/
RUN npm ci
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-slim
COPY --from=build /tmp/baton-agents-*.tgz /tmp/
RUN npm install --global --omit=dev /tmp/baton-agents-*.tgz && rm /tmp/*.tgz \
  && mkdir /store /crews && chown node:node /store
COPY examples/quiz /crews
USER node
ENV BATON_HOME=/store
VOLUME /store
EXPOSE 4500
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:4500/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"
ENTRYPOINT ["baton", "serve", "/crews", "--host", "0.0.0.0", "--root", "/crews"]
