// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.store.etcd;

import org.jspecify.annotations.NullMarked;
