// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.base.SortedCopies;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A serialised part of a shared resource: a virtual host, or a filter chain.
 *
 * @param version a digest of the bytes
 * @param parts the objects that contribute to it, each with a digest of its part
 * @param clusters the clusters that it refers to
 * @param filters the filters of policies that it contains or enables
 * @param origin where it comes from as a whole
 * @param routes where its routes come from, in order
 * @param additions further origins, of single routes or of the whole
 */
public record Fragment(
    ByteString bytes,
    String version,
    SortedMap<ObjectKey, String> parts,
    SortedSet<String> clusters,
    SortedSet<String> filters,
    FieldOrigin origin,
    List<FieldOrigin> routes,
    List<Addition> additions) {
  /** Stands for the whole fragment, as opposed to one of its routes. */
  public static final int WHOLE = -1;

  /**
   * A further origin of a route or of the whole fragment.
   *
   * @param route the index of the route, or {@link #WHOLE}
   */
  public record Addition(int route, FieldOrigin origin) {}

  public Fragment {
    parts = SortedCopies.of(parts);
    clusters = SortedCopies.of(clusters);
    filters = SortedCopies.of(filters);
    routes = List.copyOf(routes);
    additions = List.copyOf(additions);
  }

  /** A copy in which the part of an object has another digest. */
  public Fragment withPart(ObjectKey object, String digest) {
    SortedMap<ObjectKey, String> changed = new TreeMap<>(parts);
    changed.put(object, digest);
    return new Fragment(bytes, version, changed, clusters, filters, origin, routes, additions);
  }

  /**
   * The source places of the fragment at that path of the resource; the empty path if it is the
   * resource.
   */
  public List<SourcePlace> places(String path) {
    List<SourcePlace> places = new ArrayList<>();
    places.add(origin.of(path));
    add(places, WHOLE, path);
    String prefix = path.isEmpty() ? "" : path + ".";
    for (int i = 0; i < routes.size(); i++) {
      String route = prefix + "routes[" + i + "]";
      places.add(routes.get(i).of(route));
      add(places, i, route);
    }
    return places;
  }

  private void add(List<SourcePlace> places, int route, String path) {
    for (Addition addition : additions) {
      if (addition.route() == route) {
        places.add(addition.origin().of(path));
      }
    }
  }
}
