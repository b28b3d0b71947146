// SPDX-License-Identifier: Apache-2.0
/** The demo: what is shown, in which order, and to whom. Everything that is claimed is measured. */
@NullMarked
package dev.holdfast.demo;

import org.jspecify.annotations.NullMarked;
