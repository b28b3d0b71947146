-- A state file of format 2, as the version that introduced it wrote it. Never changed: files like this one exist.
PRAGMA application_id = 1212576628;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE accepted (
  kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  api_version TEXT NOT NULL, uid TEXT NOT NULL, generation INTEGER NOT NULL,
  created TEXT NOT NULL, labels TEXT NOT NULL, annotations TEXT NOT NULL,
  body TEXT NOT NULL, digest TEXT NOT NULL,
  PRIMARY KEY (kind, namespace, name)
) STRICT;
INSERT INTO accepted VALUES('HTTPProxy','default','bad','projectcontour.io/v1','uid-bad',1,'2026-01-01T00:00:00.123456789Z','{"team":"shop"}','{}','{"spec":{"virtualhost":{"fqdn":"bad.example"},"routes":[{"services":[{"name":"bad"}]}]}}','9771418ba6615521a8e08799298699fdf2ff0743652af80d8fa5c85f52103d0c');
INSERT INTO accepted VALUES('HTTPProxy','default','shop','projectcontour.io/v1','uid-shop',2,'2026-01-01T00:00:00.123456789Z','{"team":"shop"}','{}','{"spec":{"virtualhost":{"fqdn":"shop.example"},"routes":[{"services":[{"name":"shop"}]}]}}','36a49cc1f23f569b2960db32e914b0e42092d8b6d549ba81b235585fc4618d83');
CREATE TABLE accepted_by_class (
  proxy_class TEXT NOT NULL,
  kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  api_version TEXT, uid TEXT, generation INTEGER,
  created TEXT, labels TEXT, annotations TEXT, body TEXT, digest TEXT,
  PRIMARY KEY (proxy_class, kind, namespace, name)
) STRICT;
INSERT INTO accepted_by_class VALUES('envoy/1.30','HTTPProxy','default','shop','projectcontour.io/v1','uid-shop',2,'2026-01-01T00:00:00.123456789Z','{"team":"shop"}','{}','{"spec":{"virtualhost":{"fqdn":"shop.example"},"routes":[{"services":[{"name":"shop"}]}]}}','36a49cc1f23f569b2960db32e914b0e42092d8b6d549ba81b235585fc4618d83');
CREATE TABLE baseline (
  kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  generation INTEGER NOT NULL,
  PRIMARY KEY (kind, namespace, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE classes (
  proxy_class TEXT NOT NULL PRIMARY KEY, seen TEXT NOT NULL
) STRICT;
INSERT INTO classes VALUES('envoy/1.30','2026-01-01T00:00:00.123456789Z');
CREATE TABLE generations (
  kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  number INTEGER NOT NULL, digest TEXT NOT NULL, created TEXT NOT NULL,
  PRIMARY KEY (kind, namespace, name)
) STRICT, WITHOUT ROWID;
INSERT INTO generations VALUES('HTTPProxy','default','bad',1,'9771418ba6615521a8e08799298699fdf2ff0743652af80d8fa5c85f52103d0c','2026-01-01T00:00:00.123456789Z');
INSERT INTO generations VALUES('HTTPProxy','default','shop',2,'36a49cc1f23f569b2960db32e914b0e42092d8b6d549ba81b235585fc4618d83','2026-01-01T00:00:00.123456789Z');
CREATE TABLE history (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,
  object_kind TEXT, object_namespace TEXT, object_name TEXT,
  generation INTEGER NOT NULL, resource TEXT NOT NULL, proxy TEXT NOT NULL,
  message TEXT NOT NULL, took TEXT
) STRICT;
INSERT INTO history VALUES(1,'2026-01-01T00:00:00.123456789Z','PROGRAMMED','HTTPProxy','default','shop',2,'','','3 of 3 proxies',NULL);
INSERT INTO history VALUES(2,'2026-01-01T00:00:05.123456789Z','REJECTED','HTTPProxy','default','bad',2,'','','no healthy',NULL);
CREATE TABLE rejections (
  proxy_class TEXT NOT NULL, node_id TEXT NOT NULL, type_url TEXT NOT NULL,
  resource_name TEXT NOT NULL, version TEXT NOT NULL,
  message TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (proxy_class, node_id, type_url, resource_name, version)
) STRICT;
INSERT INTO rejections VALUES('envoy/1.30','node-1','type.googleapis.com/envoy.config.cluster.v3.Cluster','default/bad/80','v7','no healthy','2026-01-01T00:00:00.123456789Z');
CREATE TABLE statuses (
  kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  generation INTEGER NOT NULL, status TEXT NOT NULL,
  PRIMARY KEY (kind, namespace, name)
) STRICT;
INSERT INTO statuses VALUES('HTTPProxy','default','shop',2,'{"conditions":[{"type":"Programmed","status":"True","reason":"Programmed","message":"3 of 3 proxies","observedGeneration":2,"lastTransitionTime":"2026-01-01T00:00:00.123456789Z"},{"type":"Valid","status":"True","reason":"Valid","message":"","observedGeneration":2,"lastTransitionTime":"2026-01-01T00:00:00.123456789Z"}]}');
CREATE INDEX history_of_object
ON history (object_kind, object_namespace, object_name, id)
WHERE object_kind IS NOT NULL;
COMMIT;
