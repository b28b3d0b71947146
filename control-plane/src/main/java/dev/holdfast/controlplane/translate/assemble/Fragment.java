// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Place;
import dev.holdfast.controlplane.snapshot.Versions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A part of a resource, ready to be put into it: a virtual host, or a filter chain.
 *
 * @param version a digest of the bytes
 * @param parts the objects that have a part in it, and a digest of the part
 * @param clusters those that it needs
 * @param origin where it comes from as a whole
 * @param routes where its routes come from, in order
 */
public record Fragment(
    ByteString bytes,
    String version,
    SortedMap<ObjectKey, String> parts,
    SortedSet<String> clusters,
    Origin origin,
    List<Origin> routes) {
  public Fragment {
    parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    clusters = Collections.unmodifiableSortedSet(new TreeSet<>(clusters));
    routes = List.copyOf(routes);
  }

  /** A fragment whose version is that of its bytes. */
  public static Fragment of(
      ByteString bytes,
      SortedMap<ObjectKey, String> parts,
      SortedSet<String> clusters,
      Origin origin,
      List<Origin> routes) {
    return new Fragment(bytes, Versions.of(bytes), parts, clusters, origin, routes);
  }

  /** Where its parts come from, if it stands at that path. */
  public List<Place> places(String path) {
    List<Place> places = new ArrayList<>();
    places.add(origin.of(path));
    for (int i = 0; i < routes.size(); i++) {
      places.add(routes.get(i).of(path + ".routes[" + i + "]"));
    }
    return places;
  }
}
